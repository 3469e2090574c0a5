/**
 * A worker's process before the runner asks for one: loads what every worker consists of while it is still being made out what shall run,
 * then what the checks rest on, and becomes the worker once the runner would start it. Without the runner it ends.
 */
import { createRequire } from 'node:module';
import { keepCode } from './kept-code.mjs';

keepCode(process.env.ASSAY_CODE, 'worker');
const load = createRequire(createRequire(import.meta.url).resolve('@playwright/test/package.json'));

/** @param {import('./process-group.ts').WorkerOrders} orders */
async function obey({ env, modules = [], program }) {
  Object.assign(process.env, env);
  // What cannot be loaded fails again, and is told, where the checks ask for it.
  if (program === undefined) return void (await Promise.allSettled(modules.map((url) => import(url))));
  process.off('message', obey);
  load(program);
}

process.on('message', obey);
load('playwright/lib/common');
load('@playwright/test');
