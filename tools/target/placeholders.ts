import { TARGET_SERVICES } from './services.ts';
import type { PlaceholderTable } from './target-service.ts';

const COMMON_PLACEHOLDERS: PlaceholderTable = {
  seconds: { type: 'number', means: 'how far to move the clock', in: 'control.advance' },
  service: { type: 'string', means: 'whose clock it is, gateway or v1', in: 'control.advance, control.now' },
};

/** Every `${name}` that a target file may use: its type and what it stands for. Kept here so that a misspelt one is found before a run. */
export const KNOWN_PLACEHOLDERS: PlaceholderTable = Object.assign(
  {},
  ...TARGET_SERVICES.map(({ placeholders }) => placeholders),
  COMMON_PLACEHOLDERS,
);
