import { decision } from '../decision.ts';
import type { World } from '../world.ts';
import type { Form } from './form.ts';
import { atLeast, atMost, atMostOfAnyScript, needed } from './limit.ts';

/** What a configuration says. */
export interface Webhook {
  readonly uuid: string;
  readonly url: string;
  readonly token: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly isActive: boolean;
}

const urlNeeded = {
  createWebhook: needed('V1-WHK-14', 'webhook-created-without-url'),
  replaceWebhook: needed('V1-WHK-14', 'webhook-replaced-without-url'),
};
const tokenNeeded = {
  createWebhook: needed('V1-WHK-17', 'webhook-created-without-token'),
  replaceWebhook: needed('V1-WHK-17', 'webhook-replaced-without-token'),
};
const activeNeeded = needed('V1-WHK-24', 'webhook-replaced-without-is-active');
const activeFlag = needed('V1-WHK-24', 'webhook-is-active-in-words-accepted');
const urlFits = atMost('V1-WHK-16', 'webhook-url', 255);
const tokenLongEnough = atLeast('V1-WHK-18', 'webhook-token', 16);
const tokenFits = atMost('V1-WHK-19', 'webhook-token', 100);
const nameFits = atMostOfAnyScript('V1-WHK-21', 'webhook-name', 255);
const descriptionFits = atMostOfAnyScript('V1-WHK-23', 'webhook-description', 500);

const urlRead = decision({
  rule: 'V1-WHK-15',
  honest: isUrl,
  lies: {
    'webhook-url-of-any-text': () => true,
    'webhook-url-without-scheme': (text) => isUrl(text) || isUrl(`https://${text}`),
  },
});

const nameOptional = decision({
  rule: 'V1-WHK-20',
  honest: (_name: unknown) => true,
  lies: { 'webhook-name-required': (name) => name !== undefined, 'webhook-name-null-refused': (name) => name !== null },
});

const descriptionOptional = decision({
  rule: 'V1-WHK-22',
  honest: (_description: unknown) => true,
  lies: {
    'webhook-description-required': (description) => description !== undefined,
    'webhook-description-null-refused': (description) => description !== null,
  },
});

const activeOptional = decision({
  rule: 'V1-WHK-25',
  honest: (_active: unknown) => true,
  lies: { 'webhook-creation-needs-is-active': (active) => active !== undefined },
});

function isUrl(value: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);
}

/** Reads the body of a creation or replacement; complains in the form about what is not accepted. */
export function readSheet(
  world: World,
  form: Form,
  operation: 'createWebhook' | 'replaceWebhook',
  uuid: string,
): Webhook {
  const { faults } = world;
  const url = form.text('url', { required: urlNeeded[operation](faults) });
  if (url !== undefined && !urlRead(faults, url)) form.complain('url', 'The url field must be a valid URL.');
  if (url !== undefined && !urlFits(faults, url))
    form.complain('url', 'The url field must not be greater than 255 characters.');
  const token = form.text('token', { required: tokenNeeded[operation](faults) });
  if (token !== undefined && !tokenLongEnough(faults, token))
    form.complain('token', 'The token field must be at least 16 characters.');
  if (token !== undefined && !tokenFits(faults, token))
    form.complain('token', 'The token field must not be greater than 100 characters.');
  const name = form.text('name', { nullable: true }) ?? null;
  if (!nameOptional(faults, form.raw('name'))) form.complain('name', 'The name field is required.');
  if (name !== null && !nameFits(faults, name))
    form.complain('name', 'The name field must not be greater than 255 characters.');
  const description = form.text('description', { nullable: true }) ?? null;
  if (!descriptionOptional(faults, form.raw('description')))
    form.complain('description', 'The description field is required.');
  if (description !== null && !descriptionFits(faults, description))
    form.complain('description', 'The description field must not be greater than 500 characters.');
  const isActive = operation === 'createWebhook' ? true : readActive(world, form);
  if (operation === 'createWebhook' && !activeOptional(faults, form.raw('is_active')))
    form.complain('is_active', 'The is_active field is required.');
  return {
    uuid,
    url: url !== undefined && isUrl(url) ? url : `https://${encodeURIComponent(url ?? '')}.invalid/`,
    token: token ?? '',
    name,
    description,
    isActive,
  };
}

function readActive({ faults }: World, form: Form): boolean {
  const active = form.raw('is_active');
  if (typeof active === 'boolean') return active;
  if (active === undefined ? activeNeeded(faults) : activeFlag(faults))
    form.complain('is_active', 'The is_active field must be true or false.');
  return true;
}
