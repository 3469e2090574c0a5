import { expect, test } from '@playwright/test';

const CARDS = { approved: '5555444433331111', pending: '4000000000000705' };

async function order(request, kind, number) {
  const response = await request.post('/orders', { data: { kind, number } });
  return response.json();
}

// Where a sandbox is to tell another lie in each test, it is told where one begins.
test.beforeEach(async ({ request }, { title }) => {
  const { CONTROL_URL } = process.env;
  if (CONTROL_URL) await request.post(`${CONTROL_URL}/session`, { data: { name: title } });
});

function read(request, { id }) {
  return async () => (await request.get(`/orders?order=${id}`)).json();
}

test('sells at once', async ({ request }) => {
  const sold = await order(request, 'direct', CARDS.approved);
  await expect.poll(read(request, sold), { timeout: 30_000 }).toMatchObject({ state: 'APPROVED' });
});

test('sells to who presses the button twice', async ({ request }) => {
  const sold = await order(request, 'direct', CARDS.pending);
  await expect.poll(read(request, sold)).toMatchObject({ state: 'PROCESSING' });
  await request.post(`/retry?order=${sold.id}`);
  await expect.poll(read(request, sold), { timeout: 30_000 }).toMatchObject({ state: 'APPROVED' });
});

test('captures what it reserved', async ({ request }) => {
  const reserved = await order(request, 'reserve', CARDS.pending);
  await expect.poll(read(request, reserved), { timeout: 30_000 }).toMatchObject({ isCaptured: true });
});

test('leads to the form and back', async ({ page, request }) => {
  const { redirect } = await order(request, 'form');
  await page.goto(redirect);
  await page.fill('#cardNumber', CARDS.approved);
  await page.fill('#expireMonth', '10');
  await page.fill('#expireYear', '2049');
  await page.fill('#cvv2', '123');
  await page.fill('#cardPrintedName', 'Ada Byron');
  await page.click('#pay');
  await expect(page.getByRole('heading')).toHaveText('Thank you');
});

test('is told of a gift', async ({ request }) => {
  const gift = await order(request, 'gift', CARDS.pending);
  await expect.poll(async () => (await read(request, gift)()).calls, { timeout: 30_000 }).toBeGreaterThan(0);
});
