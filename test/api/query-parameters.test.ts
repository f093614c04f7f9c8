/** Query parameters that no path has are treated alike on every GET; those that clients add by themselves are ignored. */
import { beforeAll, expect, test } from 'vitest';
import { queries } from '../../src/queries/index.ts';
import type { Problem } from '../support/client.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService } from '../support/service.ts';

const SOME_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

const gets = queries
  .filter(({ route: { method, auth } }) => method === 'GET' && auth !== 'partner')
  .map(({ route: { url }, input }) => ({ url, names: Object.keys(input.query?.properties ?? {}) }));

let creator: Creator;

beforeAll(async () => {
  creator = await openCreator(await openTestService({ NONCE_ACCOUNTS_MIN: '0' }), { sol: 0 });
  await eventually(
    'there is a checkpoint: two answers are compared, and it would appear between them',
    async () => (await creator.client.call('GET', '/log/checkpoint')).status === 200,
  );
});

test.each(gets)('$url', async ({ url, names }) => {
  const path = url
    .replace(':mintAddress', creator.address)
    .replace(/:\w+/g, url.startsWith('/log/') ? '0' : SOME_ID);
  const key = /^\/(?:operator\/|metrics$)/.test(url)
    ? { operatorKey: OPERATOR_KEY }
    : { token: creator.token };
  const { status, body } = await creator.client.call<Problem>('GET', `${path}?tag=1&_=17`, key);
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  const message =
    names.length === 0
      ? 'is unknown; this path accepts none'
      : `is unknown; accepted are ${names.join(', ')}`;
  expect(body.details).toEqual([{ path: ['tag'], message }]);

  const plain = await creator.client.call<Problem>('GET', path, key);
  const added = `${path}?_=17&_t=x&utm_source=a&utm_campaign=b&evs_preamble=1${names.includes('lastEventId') ? '' : '&lastEventId=1'}`;
  const again = await creator.client.call<Problem>('GET', added, key);
  expect([again.status, again.body?.code]).toEqual([plain.status, plain.body?.code]);
});
