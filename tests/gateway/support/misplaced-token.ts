import type { PreparedRequest } from '#harness';

/** A request with its token in the address, where no document puts one. */
export function withTokenInAddress(one: PreparedRequest): PreparedRequest {
  const { template, options } = one;
  return { ...one, template: `${template}${template.includes('?') ? '&' : '?'}access_token=${options.token}` };
}

/** A request's token in headers that other interfaces have, and none where it belongs. */
export function tokenBesideHeader({ options: { token } }: PreparedRequest) {
  const headers = {
    'x-authorization': `Bearer ${token}`,
    'x-access-token': token,
    'x-api-key': token,
    cookie: `access_token=${token}`,
  };
  return { token: null, headers };
}
