import { PLACEHOLDER_PATTERN } from './template.ts';
import type { RequestTemplate, Target } from './types.ts';

/** What a member of a request or an answer holds: a verification code, a card number, a stored card or a token, or several in one text. */
export type SecretMember = 'code' | 'card' | 'reference' | 'text';

/** What of a target must never be written down. */
export interface TargetSecretList {
  readonly values: readonly string[];
  /** Card numbers. */
  readonly cards: readonly string[];
  /** Members that carry a secret, each as the path that leads to it. */
  readonly members: readonly { readonly path: readonly string[]; readonly holds: SecretMember }[];
}

const HOLDS: Readonly<Record<string, SecretMember>> = {
  cardNumber: 'card',
  cardCode: 'code',
  cardId: 'reference',
  token: 'reference',
};

/**
 * Everything secret that a target says: the values it resolved, its cards, and the members that its request templates and pointers say
 * carry a card number, a verification code, a stored card or a token.
 */
export function secretsOf(target: Target): TargetSecretList {
  const { gateway, v1, control } = target;
  const members: { path: string[]; holds: SecretMember }[] = [];
  const templates: unknown[] = [gateway?.wire, v1?.wire, ...Object.values(control).map((one) => one?.body)];
  for (const template of templates) collect(template as RequestTemplate | undefined, [], members);
  const named = (where: string | undefined, holds: SecretMember) => {
    if (where !== undefined)
      members.push({
        path: where
          .replace(/^header:/, '')
          .split('/')
          .filter(Boolean),
        holds,
      });
  };
  named(gateway?.wire.names.cres, 'text');
  named(gateway?.wire.names.pares, 'text');
  named(gateway?.wire.read.cardId, 'reference');
  named(v1?.wire.token, 'text');
  return {
    values: target.secrets,
    cards: Object.values(gateway?.cards ?? {}).map(({ number }) => number),
    members: members.filter(({ path }) => path.length > 0),
  };
}

function collect(
  template: RequestTemplate | undefined,
  path: readonly string[],
  members: { path: string[]; holds: SecretMember }[],
): void {
  if (typeof template === 'string') {
    const names = [...template.matchAll(PLACEHOLDER_PATTERN)].map(([, name]) => name!).filter((name) => name in HOLDS);
    if (names.length === 0) return;
    const alone = template.replace(PLACEHOLDER_PATTERN, '').trim() === '' && names.length === 1;
    members.push({ path: path.filter((key) => !/^\d+$/.test(key)), holds: alone ? HOLDS[names[0]!]! : 'text' });
  } else if (typeof template === 'object' && template !== null) {
    for (const [key, inner] of Object.entries(template)) collect(inner as RequestTemplate, [...path, key], members);
  }
}
