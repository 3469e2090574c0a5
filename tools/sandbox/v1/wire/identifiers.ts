import { decision } from '../../decision.ts';
import type { V1World } from '../v1-world.ts';

type Thing = 'transaction' | 'document' | 'webhook';

const form = decision({
  rule: 'V1-GEN-05',
  honest: (uuid: string, _thing: Thing) => uuid,
  lies: {
    'transaction-uuid-without-hyphens': (uuid, thing) => (thing === 'transaction' ? uuid.replaceAll('-', '') : uuid),
    'document-uuid-in-five-other-groups': (uuid, thing) =>
      thing === 'document' ? uuid.replace(/^(.{8})-(.{4})-/, '$1$2-') : uuid,
    'webhook-uuid-one-short': (uuid, thing) => (thing === 'webhook' ? uuid.slice(0, -1) : uuid),
  },
});

/** Draws the identifier of a new thing. */
export function drawIdentifier(world: V1World, thing: Thing): string {
  const uuid = world.uuid();
  const alphanumeric = world.choices.uuids === 'alphanumeric';
  return form(
    world.activeLies,
    alphanumeric ? uuid.replace(/[0-5]/g, (digit) => 'ghxyzw'[Number(digit)]!) : uuid,
    thing,
  );
}
