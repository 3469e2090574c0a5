#!/usr/bin/env node
// Registers the TypeScript loader, then hands over.
import { register } from 'tsx/esm/api';

// A reader that has seen enough (`assay rules | head`) does not end the work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });

register();
const { runProgram } = await import('./main.ts');
process.exitCode = await runProgram(process.argv.slice(2));
