import { decision } from '../../decision.ts';
import { isSecondsAgo } from '../../real-time.ts';
import type { V1World } from '../v1-world.ts';
import { maximumLength, maximumLengthAnyScript, minimumLength, requiredField } from '../wire/field-limits.ts';
import type { RequestForm } from '../wire/request-form.ts';

/** What a configuration says. */
export interface WebhookConfiguration {
  readonly uuid: string;
  readonly url: string;
  readonly token: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly isActive: boolean;
  /** When it was written. */
  readonly written: number;
  /** The same in milliseconds of real time; only a lie looks at it. */
  readonly writtenReally: number;
}

/** An address that has lost its query; only lies show or go to one. */
export function withoutQuery(url: string): string {
  return url.replace(/[?].*/, '');
}

/** What becomes of an address whose query is taken apart and put together again; only lies do. */
export const MISQUERIED: Readonly<Record<string, (url: string) => string>> = {
  'with-its-query-in-order': (url) => url.replace(/[?](.*)$/, (_, query) => `?${query.split('&').sort().join('&')}`),
  'without-what-is-empty': (url) => url.replace(/(?<=[?&])\w+=(&|$)/, ''),
  'with-blanks-for-plus-signs': (url) => url.replaceAll('+', '%20'),
};

/** What was written before the latest, once that is some seconds of real time old, else the latest; only lies show it or go by it. */
export function beforeSeconds(history: readonly WebhookConfiguration[]): WebhookConfiguration | undefined {
  const latest = history.at(-1);
  return latest !== undefined && isSecondsAgo(latest.writtenReally) ? (history.at(-2) ?? latest) : latest;
}

/** The decision whether a field must be there, and hold something. */
const neededText = (rule: string, done: 'created' | 'replaced', what: string) =>
  decision({
    rule,
    honest: (_isNull: boolean, _isActive: boolean) => true,
    lies: {
      [`webhook-${done}-without-${what}`]: () => false,
      [`webhook-${done}-with-${what}-null`]: (isNull) => !isNull,
      ...(done === 'replaced' && {
        [`webhook-replaced-without-${what}-while-active`]: (_isNull: boolean, isActive: boolean) => !isActive,
      }),
    },
  });

const urlNeeded = {
  createWebhook: neededText('V1-WHK-14', 'created', 'url'),
  replaceWebhook: neededText('V1-WHK-14', 'replaced', 'url'),
};
const tokenNeeded = {
  createWebhook: neededText('V1-WHK-17', 'created', 'token'),
  replaceWebhook: neededText('V1-WHK-17', 'replaced', 'token'),
};
const activeNeeded = requiredField('V1-WHK-24', 'webhook-replaced-without-is-active');
const activeFlag = requiredField('V1-WHK-24', 'webhook-is-active-in-words-accepted');
/** What a limit may be forgotten beside: that the configuration is to be active. */
const WHILE_ACTIVE = { 'while-active': (isActive: boolean) => isActive };
const urlFits = maximumLength('V1-WHK-16', 'webhook-url', 255, WHILE_ACTIVE);
const tokenLongEnough = minimumLength('V1-WHK-18', 'webhook-token', 16);
const tokenFits = maximumLength('V1-WHK-19', 'webhook-token', 100, WHILE_ACTIVE);
const nameFits = maximumLengthAnyScript('V1-WHK-21', 'webhook-name', 255, WHILE_ACTIVE);
const descriptionFits = maximumLengthAnyScript('V1-WHK-23', 'webhook-description', 500, WHILE_ACTIVE);

const urlRead = decision({
  rule: 'V1-WHK-15',
  honest: (text: string, _isActive: boolean) => isUrl(text),
  lies: {
    'webhook-url-of-any-text-while-active': (text, isActive) => isActive || isUrl(text),
    'webhook-url-of-any-text': () => true,
    'webhook-url-empty-accepted': (text) => text === '' || isUrl(text),
    'webhook-url-of-any-text-behind-a-scheme': (text) => text.startsWith('http'),
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
export function readWebhookConfiguration(
  world: V1World,
  form: RequestForm,
  operation: 'createWebhook' | 'replaceWebhook',
  uuid: string,
): WebhookConfiguration {
  const { activeLies } = world;
  const isToBeActive = form.raw('is_active') === true;
  const needsUrl = urlNeeded[operation](activeLies, form.raw('url') === null, isToBeActive);
  const url = form.text('url', { required: needsUrl, nullable: !needsUrl });
  if (url !== undefined && !urlRead(activeLies, url, isToBeActive))
    form.complain('url', 'The url field must be a valid URL.');
  if (
    url !== undefined &&
    world.choices.webhookHosts === 'resolving' &&
    /^https?:\/\/[^/:]*\.invalid(?![^/:])/i.test(url)
  )
    form.complain('url', 'The host of the url field cannot be found.');
  if (url !== undefined && !urlFits(activeLies, url, isToBeActive))
    form.complain('url', 'The url field must not be greater than 255 characters.');
  const needsToken = tokenNeeded[operation](activeLies, form.raw('token') === null, isToBeActive);
  const token = form.text('token', { required: needsToken, nullable: !needsToken });
  if (token !== undefined && !tokenLongEnough(activeLies, token))
    form.complain('token', 'The token field must be at least 16 characters.');
  if (token !== undefined && !tokenFits(activeLies, token, isToBeActive))
    form.complain('token', 'The token field must not be greater than 100 characters.');
  const name = form.text('name', { nullable: true }) ?? null;
  if (!nameOptional(activeLies, form.raw('name'))) form.complain('name', 'The name field is required.');
  if (name !== null && !nameFits(activeLies, name, isToBeActive))
    form.complain('name', 'The name field must not be greater than 255 characters.');
  const description = form.text('description', { nullable: true }) ?? null;
  if (!descriptionOptional(activeLies, form.raw('description')))
    form.complain('description', 'The description field is required.');
  if (description !== null && !descriptionFits(activeLies, description, isToBeActive))
    form.complain('description', 'The description field must not be greater than 500 characters.');
  const isActive = operation === 'createWebhook' ? true : readActive(world, form);
  if (operation === 'createWebhook' && !activeOptional(activeLies, form.raw('is_active')))
    form.complain('is_active', 'The is_active field is required.');
  return {
    uuid,
    url: url !== undefined && isUrl(url) ? url : `https://${encodeURIComponent(url ?? '')}.invalid/`,
    token: token ?? '',
    name,
    description,
    isActive,
    written: world.clock.now(),
    writtenReally: performance.now(),
  };
}

function readActive({ activeLies }: V1World, form: RequestForm): boolean {
  const active = form.raw('is_active');
  if (typeof active === 'boolean') return active;
  if (active === undefined ? activeNeeded(activeLies) : activeFlag(activeLies))
    form.complain('is_active', 'The is_active field must be true or false.');
  return true;
}
