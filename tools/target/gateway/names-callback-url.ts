import { namesPlaceholder } from '../template.ts';

/** Whether requests of a gateway say where its callbacks go. @param gateway as a target file has it; undefined for none */
export function namesCallbackUrl(gateway: { readonly wire?: unknown } | undefined): boolean {
  return namesPlaceholder(gateway?.wire, 'callbackUrl');
}
