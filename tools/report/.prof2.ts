import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const s = readFileSync('/tmp/rep/big20000/index.html', 'utf8');
const packs = [...s.matchAll(/class="pack">([^<]*)</g)].map((m) => inflateRawSync(Buffer.from(m[1]!, 'base64')));
const cpu = (f: () => void) => {
  const a = process.cpuUsage();
  const w = performance.now();
  f();
  const b = process.cpuUsage(a);
  return [Math.round((b.user + b.system) / 1000), Math.round(performance.now() - w)];
};
for (const level of [1, 4, 6, 9]) {
  let n = 0;
  const t = cpu(() => {
    for (const p of packs) n += deflateRawSync(p, { level, memLevel: 9 }).length;
  });
  console.log(level, 'cpu/wall', t, (n * 4) / 3);
}
