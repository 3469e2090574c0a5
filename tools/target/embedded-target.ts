import { fileURLToPath } from 'node:url';

/** Path of the project's own target file: the embedded sandbox. */
export const EMBEDDED_TARGET = fileURLToPath(new URL('../../targets/embedded.yaml', import.meta.url));
