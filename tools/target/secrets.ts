import type { WrittenTarget } from './parse-target.ts';
import { TARGET_SERVICES } from './services.ts';
import type { Target } from './target.ts';
import type { SecretMember } from './target-service.ts';
import { PLACEHOLDER_PATTERN } from './template.ts';
import type { RequestTemplate } from './types.ts';

export type { SecretMember };

/** What of a target must never be written down. */
export interface TargetSecretList {
  readonly values: readonly string[];
  /** Card numbers. */
  readonly cards: readonly string[];
  /** Members that carry a secret, each as the path that leads to it. */
  readonly members: readonly { readonly path: readonly string[]; readonly holds: SecretMember }[];
}

const HOLDS: Readonly<Record<string, SecretMember>> = Object.assign(
  {},
  ...TARGET_SERVICES.map(({ secretPlaceholders }) => secretPlaceholders),
);

/**
 * Everything secret that a target says: the values it resolved, its cards, and the members that its request templates and pointers say
 * carry a card number, a verification code, a stored card or a token.
 */
export function secretsOf(target: Target): TargetSecretList {
  const services = TARGET_SERVICES.flatMap((service) => {
    const own = target[service.api];
    return own === undefined ? [] : [{ service, own: own as never }];
  });
  const members: { path: string[]; holds: SecretMember }[] = [];
  const templates: unknown[] = [
    ...services.map(({ service, own }) => service.wireOf(own)),
    ...Object.values(target.control).map((one) => one?.body),
  ];
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
  for (const { service, own } of services)
    for (const [where, holds] of service.listSecretMembers(own)) named(where, holds);
  return {
    values: target.secrets,
    cards: services.flatMap(({ service, own }) => service.listCards(own)),
    members: members.filter(({ path }) => path.length > 0),
  };
}

/** Card numbers that stand in a target file. */
export function writtenCards({ root }: WrittenTarget): readonly string[] {
  return TARGET_SERVICES.flatMap(({ api, listCards }) => (root[api] === undefined ? [] : listCards(root[api])));
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
