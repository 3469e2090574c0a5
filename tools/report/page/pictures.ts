import type { PictureResult } from '../types.ts';
import { type Html, html } from './html.ts';

/** Draws a picture of a hosted page, with what it shows in words for those who do not see it. @param number of the picture in its sequence */
export function renderPicture({ page, file, width, height }: PictureResult, bytes: Buffer, number: number): Html {
  const words = `What the customer saw: ${page}. Fields, images and numerals are covered.`;
  return html`<figure class="shot" id="${anchor(file)}"><img src="data:image/png;base64,${bytes.toString('base64')}" width="${width}" height="${height}" alt="${words}"><figcaption>${number}. ${capital(page)} <span class="fine"><a href="${file}">${file}</a></span></figcaption></figure>`;
}

/** Names a picture that stands further up. */
export function renderPictureLink({ page, file }: PictureResult, number: number): Html {
  return html`<p class="fine">${number}. ${capital(page)}: looks like <a href="#${anchor(file)}">the picture above</a></p>`;
}

function anchor(file: string): string {
  return file.replace('.png', '');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
