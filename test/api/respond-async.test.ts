/** Submission with `Prefer: respond-async`: 202 immediately, and the outcome at the returned address. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Creator, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService();
  creator = await openCreator(service, { sol: 10 });
});

async function submit(prefer: string, path = '/tokens/submit', draft = creator.draft()) {
  const issued = await draft;
  const json = { transactionId: issued.transactionId, signedTransaction: creator.sign(issued) };
  const answer = await creator.call<{ readonly mintAddress?: string }>('POST', path, {
    json,
    headers: { prefer },
  });
  return { issued, json, ...answer };
}

describe('with Prefer: respond-async', () => {
  test('a submission is answered once it is recorded, and its transaction tells the outcome', async () => {
    const { issued, json, status, headers, bytes } = await submit('respond-async');
    const { transactionId } = issued;
    expect([status, headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(bytes).toHaveLength(0);
    const location = headers.get('location') ?? '';
    expect(location).toBe(`/transactions/${transactionId}`);
    expect(headers.get('x-position')).toEqual(expect.any(String));
    await eventually('the transaction is confirmed', async () => {
      const { body: told } = await creator.call<{ status: string }>('GET', location);
      return told.status === 'confirmed';
    });
    // The same call again gives the outcome, which is known now.
    const again = await creator.call<{ mintAddress: string }>('POST', '/tokens/submit', {
      json,
      headers: { prefer: 'respond-async' },
    });
    expect([again.status, again.body.mintAddress]).toEqual([200, issued.mintKeypair.publicKey]);
  });

  test('an outcome that is known in time is the answer, and what is wrong is refused at once', async () => {
    const waited = await submit('foo; bar=1, respond-async, wait=20');
    expect([waited.status, waited.headers.get('preference-applied')]).toEqual([200, 'respond-async']);
    expect(waited.body.mintAddress).toBe(waited.issued.mintKeypair.publicKey);
    const { transactionId } = await creator.draft();
    const refused = await creator.client.refusal('TRANSACTION_MISMATCH', 'POST', '/tokens/submit', {
      token: creator.token,
      json: { transactionId, signedTransaction: waited.json.signedTransaction },
      headers: { prefer: 'respond-async' },
    });
    expect(refused.status).toBe(422);
  });

  test('nothing else is preferred: without it a submission waits, and other calls do not look at it', async () => {
    const { status, headers } = await submit('wait=0, respond-asynchronously, handling=lenient');
    expect([status, headers.get('preference-applied')]).toEqual([200, null]);
    const listed = await creator.client.call('GET', '/tokens', { headers: { prefer: 'respond-async' } });
    expect([listed.status, listed.headers.get('preference-applied')]).toEqual([200, null]);
  });
});
