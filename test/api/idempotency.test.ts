/** The same Idempotency-Key gives the first answer again, and nothing is recorded twice. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallOptions } from '../support/client.ts';
import { type Creator, type Draft, openCreator, signIn } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let creator: Creator;
let keys = 0;

beforeAll(async () => {
  service = await openTestService();
});

beforeEach(async () => {
  creator = await openCreator(service);
});

function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}

function keyed(key: string, options: CallOptions): CallOptions {
  return { ...options, headers: { 'idempotency-key': key } };
}

/** How many of these events were recorded while it ran. */
async function recordedDuring(type: string, work: () => Promise<unknown>): Promise<number> {
  const before = service.recorded.length;
  await work();
  return service.recorded.slice(before).filter((event) => event.type === type).length;
}

describe('create-unsigned', () => {
  const path = '/tokens/create-unsigned';

  test('gives another caller a draft of its own under the same key', async () => {
    const key = newKey();
    const other = await openCreator(service);
    const mine = await creator.call<Draft>('POST', path, keyed(key, { json: await creator.tokenInput() }));
    const theirs = await other.call<Draft>('POST', path, keyed(key, { json: await other.tokenInput() }));
    expect(theirs.status).toBe(200);
    expect(theirs.body.transactionId).not.toBe(mine.body.transactionId);
  });
});

describe('submit', () => {
  const path = '/tokens/submit';

  test('makes one token of many calls at once, with one key, several or none', async () => {
    const draft = await creator.draft();
    const json = { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) };
    const key = newKey();
    const calls = [keyed(key, { json }), keyed(key, { json }), keyed(newKey(), { json }), { json }, { json }];
    const accepted = await recordedDuring('SubmissionAccepted', async () => {
      const answers = await Promise.all(calls.map((call) => creator.call('POST', path, call)));
      for (const { status, bytes } of answers) {
        expect(status).toBe(200);
        expect(bytes).toEqual(answers[0]?.bytes);
      }
    });
    expect(accepted).toBe(1);
    const { body } = await creator.call<{ tokens: unknown[] }>('GET', '/tokens/me');
    expect(body.tokens).toHaveLength(1);
  });
});

describe('an Idempotency-Key', () => {
  test('must have 1 to 255 printable ASCII characters', async () => {
    const json = await creator.tokenInput();
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      await creator.client.refusal('VALIDATION_FAILED', 'POST', '/tokens/create-unsigned', {
        ...keyed(key, { json }),
        token: creator.token,
      });
    }
    const longest = keyed('x'.repeat(255), { json });
    expect((await creator.call('POST', '/tokens/create-unsigned', longest)).status).toBe(200);
  });

  test('means nothing on signing out: each session ends', async () => {
    const call = keyed(newKey(), {});
    for (let session = 0; session < 2; session += 1) {
      const { token } = await signIn(creator.client, creator.keypair);
      await creator.client.ask('POST', '/auth/logout', { ...call, token });
      await creator.client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token });
    }
  });
});
