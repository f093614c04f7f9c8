// Every path but those of operators is also there under `/v1`.
import { beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await openTestService();
  client = createClient(service.url);
});

test('a token is made under /v1, and found under both paths, by its mint address and by its id', async () => {
  const { call, draft, sign } = await openCreator(service);
  const { transactionId, ...unsigned } = await draft();
  const json = { transactionId, signedTransaction: sign(unsigned) };
  const { status, body } = await call<{ token: { id: string; mintAddress: string } }>(
    'POST',
    '/v1/tokens/submit',
    {
      json,
    },
  );
  expect(status).toBe(200);
  const { id, mintAddress } = body.token;
  const answers = await Promise.all(
    [`/tokens/${mintAddress}`, `/v1/tokens/${mintAddress}`, `/tokens/${id}`].map((path) =>
      client.ask('GET', path),
    ),
  );
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(answers[0]).toMatchObject({ token: { id, mintAddress } });
});

test('a refusal names the path that was called', async () => {
  const refused = await client.refusal('TOKEN_NOT_FOUND', 'GET', '/v1/tokens/nothing?include=tax');
  expect(refused.instance).toBe('/v1/tokens/nothing');
});

test('operators have one path, so that a proxy that closes it closes all', async () => {
  const operatorKey = OPERATOR_KEY;
  expect((await client.call('GET', '/operator/tokens', { operatorKey })).status).toBe(200);
  for (const path of ['/v1/operator/tokens', '/v1/%6fperator/tokens', '/v1//operator/tokens', '/v1/metrics'])
    expect((await client.call('GET', path, { operatorKey })).status, path).toBe(404);
});
