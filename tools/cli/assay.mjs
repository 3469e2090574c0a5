#!/usr/bin/env node
// Registers the TypeScript loader, then hands over.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
