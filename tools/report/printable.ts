export { printable } from './page/client/printable.js';
