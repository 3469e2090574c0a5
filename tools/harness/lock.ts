export { acquireLock } from '#client';
