export { lock } from '#client';
