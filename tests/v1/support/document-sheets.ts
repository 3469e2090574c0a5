/** The types of documents that are named. */
export const DOCUMENT_TYPES = ['passport', 'identity_card', 'drivers_license'];

/** A picture of one pixel, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** An attachment that is the front of a card. */
export const FRONT = { content: PIXEL, page_type: 'front' };
