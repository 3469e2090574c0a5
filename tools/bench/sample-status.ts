/** A StatusResponse of usual length, which most answers of a run are like. */
export const SAMPLE_STATUS = {
  orderState: 'PROCESSING',
  orderSystemId: 4711,
  orderMerchantId: 'order-1001',
  correlationId: '00000000-0000-4000-8000-000000000001',
  transactions: [
    { type: 'AUTH', status: 'APPROVED', amount: '10.00', createdSystemTimestamp: '2026.03.12 19:20:39 +0000' },
    { type: 'CAPTURE', status: 'PROCESSING', amount: '10.00', createdSystemTimestamp: '2026.03.12 19:21:02 +0000' },
  ],
  threeDSAuth: {
    threeDSAuthStep: 'CREQ',
    creq: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
    acsUrl: 'https://acs.invalid/challenge',
  },
  outputRedirectToUrl: 'https://gateway.invalid/pay/1',
};
