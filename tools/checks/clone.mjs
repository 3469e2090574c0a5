// What own checks import from a clone: its suite as it was compiled for this run. In a package they import what the package holds.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** @type {typeof import('./index.ts')} */
const suite = createRequire(import.meta.url)(join(process.env['ASSAY_SUITE'] ?? '', 'tools/checks/index.js'));
export const { test, rule, expect, assertPromise, attributeTo, requireEntries, requireSeen } = suite;
