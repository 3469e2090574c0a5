/**
 * The runner's process: loads what the runner consists of while it is still being made out what shall run, then takes its orders from its
 * input. Where none come it ends. Its first worker loads itself meanwhile.
 */
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { keepCode } from './kept-code.mjs';
import { readyWorker } from './ready-worker.mjs';

keepCode(process.env.ASSAY_CODE, 'runner');
const prepare = readyWorker();
const load = createRequire(createRequire(import.meta.url).resolve('@playwright/test/package.json'));
/** @type {{ program: { parse(argv: readonly string[]): unknown } }} */
const { program } = load('playwright/lib/program');

const orders = await text(process.stdin);
if (orders !== '') {
  /** @type {import('./process-group.ts').RunnerOrders} */
  const { arguments: given, env, modules } = JSON.parse(orders);
  Object.assign(process.env, env);
  prepare(modules);
  process.argv.splice(1, process.argv.length, ...given);
  program.parse(process.argv);
}
