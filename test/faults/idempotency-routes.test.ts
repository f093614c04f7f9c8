/** Of every route that takes an Idempotency-Key: the same call is recorded once and answered alike, another one is refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { takesIdempotencyKey } from '../../src/kernel/runtime/define-route.ts';
import { openCreator } from '../support/creator.ts';
import { tellOfSkipping, VENUE_ENVIRONMENT, venueProgramFile } from '../support/launching.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { type PreparedCall, recordableCalls, recordableCallsOf } from '../support/recordable-calls.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkipping('repetitions of what concerns launches');

let service: TestService;

beforeAll(async () => {
  service = await openTestService({
    FEATURED_PRICE_PER_DAY: '1000000',
    NONCE_ACCOUNTS_MIN: '10',
    // A run that is asked for would be opened or skipped, and recorded among what the calls record.
    ROLES: 'api,projector,settler,publisher',
    ...VENUE_ENVIRONMENT,
  });
});

const keyed = commands.filter(({ route }) => takesIdempotencyKey(route));

test('the table of calls has no route that is none of these', () => {
  const names = keyed.map(({ route }) => `${route.method} ${route.url}`);
  expect(Object.keys(recordableCalls).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(
  keyed.map(({ route }) => [`${route.method} ${route.url}`, route] as const),
)('%s', (name, route) => {
  const needsVenue = route.url.startsWith('/launchpad/');

  test.skipIf(needsVenue && venueProgramFile === undefined)(
    'records one call once, answers it alike, and refuses another one under its key',
    async () => {
      const creator = await openCreator(service, { sol: 20 });
      const { first, other } = await recordableCallsOf(name, creator, service);
      const key = `key of ${name.replaceAll(/\W+/g, '-')}`.replaceAll(' ', '-');
      const call = ({ path, options }: PreparedCall, headers = { 'idempotency-key': key }) =>
        creator.client.call<{ code?: string }>(route.method, path, {
          ...options,
          headers,
          ...(route.auth === 'operator' ? { operatorKey: OPERATOR_KEY } : { token: creator.token }),
        });

      const before = service.recorded.length;
      const answers = await Promise.all([call(first), call(first)]);
      const again = await call(first);
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
      for (const { status, bytes, headers } of [...answers, again]) {
        expect([status, bytes]).toEqual([200, again.bytes]);
        expect(headers.get('x-position')).toBe(again.headers.get('x-position'));
        expect(headers.get('etag')).toBe(again.headers.get('etag'));
      }
      const recorded = service.recorded.slice(before);
      const types = recorded.map(({ type }) => type);
      expect(types.length).toBeGreaterThan(0);
      // Where the key names the command's own stream, it needs none besides.
      const namesItsStream = /\/(create-unsigned|upload-image)$/.test(route.url);
      expect(types.includes('IdempotencyKeyUsed')).toBe(!namesItsStream);
      expect(new Set(types).size, types.join()).toBe(types.length);
      expect(JSON.stringify(recorded)).not.toContain(key);

      const refused = await call(other);
      expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(service.recorded).toHaveLength(before + recorded.length);
      // It was refused for its key and nothing else.
      expect((await call(other, { 'idempotency-key': `${key}-2` })).status).toBe(200);
      const afterOther = await call(first);
      // A key that another rotation has replaced is not told again.
      if (route.url.endsWith('/rotate')) expect(afterOther.body.code).toBe('PARTNER_KEY_REPLACED');
      else expect(afterOther.bytes).toEqual(again.bytes);
    },
  );
});
