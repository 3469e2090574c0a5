import { createHmac } from 'node:crypto';

/** Where the credentials of a sandbox come from. */
export interface CredentialSource {
  /** 64 hex digits. */
  draw(name: string): string;
  uuid(name: string): string;
}

/** A source that a seed starts: the same seed gives the same under the same name. */
export function createCredentialSource(seed: string): CredentialSource {
  const draw = (name: string) => createHmac('sha256', seed).update(name).digest('hex');
  return { draw, uuid: (name) => shapeUuid(draw(name)) };
}

/** A uuid (version 4) from hex digits. */
export function shapeUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
