// Measures the suite as everybody runs it: compiled; its sources only where nothing can be written beside the packages of this clone.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSuite } from '#built-suite';

const built = await buildSuite();
if (built === undefined) (await import('tsx/esm/api')).register();
await import(built === undefined ? './run-bench.ts' : pathToFileURL(join(built, 'tools/bench/run-bench.js')).href);
