// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to show
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Shows every character that would not be seen, or would move others, as its escape: control and direction marks in what a service
 * sent could forge a terminal line or turn text around on the page.
 * @param {string} text
 */
export function printable(text) {
  return text.replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
