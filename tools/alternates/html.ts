import type { AlternateAnswer } from './server.ts';

/** A page for a customer's browser. */
export function renderCustomerPage(main: string, status = 200): AlternateAnswer {
  const text = `<!doctype html><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,">${main}`;
  return { status, text, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** A form of hidden fields called `back`, to be sent by somebody or by a script. */
export function renderHiddenForm(action: string, fields: Readonly<Record<string, string>>, more = ''): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
  );
  return `<form id="back" method="post" action="${escapeMarkup(action)}">${inputs.join('')}${more}</form>`;
}

/** Text as it may stand in HTML, attributes included; line breaks are kept. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"'\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
