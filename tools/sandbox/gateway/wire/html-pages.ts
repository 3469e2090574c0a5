import { escapeHtml } from '../../escape-html.ts';
import type { GatewayChoices } from '../choices.ts';

const STYLE =
  'body{font:1.05rem/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1b1f24}' +
  'main{max-width:26rem;margin:3rem auto;padding:1.5rem 2rem;background:#fff;border:1px solid #d0d5dc;border-radius:.5rem}' +
  'h1{font-size:1.3rem;margin-top:0}label{display:block;margin-top:.9rem;font-weight:600}' +
  'input{box-sizing:border-box;width:100%;padding:.55rem;font:inherit;border:1px solid #6b7480;border-radius:.3rem}' +
  'button{margin:1.2rem .6rem 0 0;padding:.6rem 1.2rem;font:inherit;border:1px solid #174ea6;border-radius:.3rem;background:#174ea6;color:#fff;cursor:pointer}' +
  'button.plain{background:#fff;color:#174ea6}:focus-visible{outline:3px solid #f0a202;outline-offset:2px}' +
  '[role=alert]{color:#a50e0e;font-weight:600}form{display:inline}.row{display:flex;gap:1rem}.row>div{flex:1}';

/** A whole page: title, one main region, no script. */
export function renderGatewayPage(title: string, main: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${main}</main></body></html>`
  );
}

/** A form of hidden values behind one button. */
export function renderPostButton(
  action: string,
  values: Readonly<Record<string, string>>,
  label: string,
  id: string,
): string {
  const hidden = Object.entries(values).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const kind = id === 'approve' || id === 'continue' ? '' : ' class="plain"';
  return `<form method="post" action="${escapeHtml(action)}">${hidden.join('')}<button id="${id}"${kind}>${escapeHtml(label)}</button></form>`;
}

/** outputHtml of a challenge: posts the creq to the ACS. */
export function challengeHtml(acsUrl: string, creq: string): string {
  return renderGatewayPage(
    'Your bank wants to check that it is you',
    `<p>You will confirm the payment on the page of your bank.</p>${renderPostButton(acsUrl, { creq }, 'Continue', 'continue')}`,
  );
}

/** outputHtml of a 3DS method: loads it in a hidden iframe. */
export function methodHtml(methodUrl: string): string {
  return renderGatewayPage(
    'One moment, please',
    `<p role="status">Your bank is looking at the browser.</p><iframe src="${escapeHtml(methodUrl)}" title="3DS method" hidden></iframe>`,
  );
}

/** The 3DS method itself, seen by nobody: its having loaded is the completion, which it also tells the page around it. */
export function methodPage(token: string): string {
  return renderGatewayPage(
    '3DS method',
    '<p id="completed">The 3DS method has completed.</p>' +
      `<script>parent.postMessage({threeDSMethod:"completed",threeDSServerTransID:"${escapeHtml(token)}"},"*")</script>`,
  );
}

/** What the gateway's own page of a 3DS method answers once that has run. */
export const METHOD_RAN = 'method ran';

/** The gateway's own page of a 3DS method: loads it and goes on by itself, or when the customer does. */
export function hostedMethodPage(methodUrl: string, back: string): string {
  return renderGatewayPage(
    'One moment, please',
    `<p role="status">Your bank is looking at the browser.</p><iframe src="${escapeHtml(methodUrl)}" title="3DS method" hidden></iframe>` +
      `${renderPostButton(back, { answer: METHOD_RAN }, 'Continue', 'continue')}` +
      '<script>addEventListener("message",({data})=>data?.threeDSMethod==="completed"&&document.forms[0].submit())</script>',
  );
}

/** Leads the customer back to the shop with a form, by itself or when the customer does. */
export function returningPage(address: string, fields: Readonly<Record<string, string>>): string {
  return renderGatewayPage(
    'Back to the shop',
    `<p role="status">The shop says how it went.</p>${renderPostButton(address, fields, 'Continue', 'continue')}` +
      '<script>document.forms[0].submit()</script>',
  );
}

/** Leaves it to the customer to go back to the shop. */
export function linkingPage(address: string): string {
  return renderGatewayPage('Thank you', `<p><a href="${escapeHtml(address)}">Back to the shop</a></p>`);
}

/** The ACS asks the customer; each button posts its own answer to where it belongs. */
export function acsPage(amount: string, approve: string, refuse: string): string {
  return renderGatewayPage(
    'Confirm your payment',
    `<p>A shop asks for <strong>${escapeHtml(amount)}</strong>. This is a simulated bank: nothing will be charged.</p>${approve}${refuse}`,
  );
}

/** Lets the first button be pressed once a key was pressed in each field that is filled in by then. */
const ENABLE_AFTER_TYPING =
  '<script>const left=new Set(document.querySelectorAll("input:not([type=hidden])"));for(const one of left)' +
  'one.addEventListener("keyup",()=>{if(one.value)left.delete(one);document.querySelector("button").disabled=left.size>0})</script>';

/** Members of a card that the first of two pages asks for. */
const ON_FIRST_PAGE: ReadonlySet<string> = new Set(['cardNumber', 'cardPrintedName']);

/** Fields of a card, in the order in which a form asks for them. */
const CARD_FIELDS = [
  ['cardNumber', 'Card number', 'inputmode="numeric" autocomplete="cc-number"'],
  ['expireMonth', 'Month', 'inputmode="numeric" autocomplete="cc-exp-month" placeholder="10"'],
  ['expireYear', 'Year', 'inputmode="numeric" autocomplete="cc-exp-year" placeholder="2049"'],
  ['cvv2', 'Code', 'inputmode="numeric" autocomplete="cc-csc"'],
  ['cardPrintedName', 'Name on the card', 'autocomplete="cc-name"'],
] as const;

/**
 * The hosted payment form.
 * @param order `entered` is what the first of two pages was sent with
 */
export function paymentForm(
  order: { action: string; amount: string; withCard: boolean; problem?: string; entered?: ReadonlyMap<string, string> },
  { formCancels, formPages, formSends }: Pick<GatewayChoices, 'formCancels' | 'formPages' | 'formSends'>,
): string {
  const confirms = formCancels === 'at once' ? '' : ` onclick="return confirm('Do you want to cancel?')"`;
  const waits = formSends === 'after typing' && order.withCard;
  const field = ([name, label, more]: (typeof CARD_FIELDS)[number]) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" ${more}>`;
  const isAsked = (name: string) => formPages === 'one' || ON_FIRST_PAGE.has(name) === (order.entered === undefined);
  const asked = CARD_FIELDS.filter(([name]) => isAsked(name));
  const narrow = asked.filter(([name]) => !ON_FIRST_PAGE.has(name)).map((one) => `<div>${field(one)}</div>`);
  const wide = (name: string) => asked.filter(([one]) => one === name).map(field);
  const held = [...(order.entered ?? [])].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const card = [
    ...held,
    ...wide('cardNumber'),
    ...(narrow.length === 0 ? [] : ['<div class="row">', ...narrow, '</div>']),
    ...wide('cardPrintedName'),
  ].join('');
  return renderGatewayPage(
    `Pay ${order.amount}`,
    (order.problem ? `<p role="alert">${escapeHtml(order.problem)}</p>` : '') +
      `<form method="post" action="${escapeHtml(order.action)}">${order.withCard ? card : ''}` +
      `<button id="pay" name="action" value="pay"${waits ? ' disabled' : ''}>Pay</button>` +
      `<button id="cancel" name="action" value="cancel" class="plain" formnovalidate${confirms}>Cancel</button></form>` +
      (waits ? ENABLE_AFTER_TYPING : ''),
  );
}

/** A closing word where there is nowhere to return to. */
export function closingPage(title: string, text: string): string {
  return renderGatewayPage(title, `<p>${escapeHtml(text)}</p>`);
}
