/** The same Idempotency-Key gives the first answer again, and nothing is recorded twice. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, CallOptions } from '../support/client.ts';
import { type Creator, type Draft, imageForm, openCreator, picture, signIn } from '../support/creator.ts';
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

  test('gives the identical draft again', async () => {
    const call = keyed(newKey(), { json: await creator.tokenInput() });
    const first = await creator.call('POST', path, call);
    expect(first.status).toBe(200);
    const again = await creator.call('POST', path, call);
    expect(again.bytes).toEqual(first.bytes);
    expect(again.headers.get('x-position')).toBe(first.headers.get('x-position'));
  });

  test('does not mind another order of the fields', async () => {
    const input = await creator.tokenInput();
    const key = newKey();
    const first = await creator.call('POST', path, keyed(key, { json: input }));
    const turned = Object.fromEntries(Object.entries(input).reverse());
    const again = await creator.call('POST', path, keyed(key, { json: turned }));
    expect(again.bytes).toEqual(first.bytes);
  });

  test('refuses the key with another body, and the draft stays', async () => {
    const input = await creator.tokenInput();
    const key = newKey();
    const first = await creator.call<Draft>('POST', path, keyed(key, { json: input }));
    await creator.client.refusal('IDEMPOTENCY_KEY_REUSED', 'POST', path, {
      ...keyed(key, { json: { ...input, name: 'Moonrise' } }),
      token: creator.token,
    });
    expect((await creator.submit(first.body)).token.name).toBe('Sunrise');
  });

  test('makes one draft of two calls at once', async () => {
    const call = keyed(newKey(), { json: await creator.tokenInput() });
    let answers: Answer<Draft>[] = [];
    const issued = await recordedDuring('DraftIssued', async () => {
      answers = await Promise.all([1, 2, 3].map(() => creator.call<Draft>('POST', path, call)));
    });
    expect(issued).toBe(1);
    const [first, ...others] = answers.filter(({ status }) => status === 200);
    for (const other of others) expect(other.bytes).toEqual(first?.bytes);
    // One that met the others half-way may be asked to come again, and then gets the same.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await creator.call('POST', path, call)).bytes).toEqual(first?.bytes);
  });

  test('never answers one body with the draft of another, also not at once', async () => {
    const [one, other] = [await creator.tokenInput(), await creator.tokenInput({ name: 'Moonrise' })];
    const key = newKey();
    const [first, second] = await Promise.all([
      creator.call<Draft>('POST', path, keyed(key, { json: one })),
      creator.call<Draft>('POST', path, keyed(key, { json: other })),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 422]);
  });

  test('gives another caller a draft of its own under the same key', async () => {
    const key = newKey();
    const other = await openCreator(service);
    const mine = await creator.call<Draft>('POST', path, keyed(key, { json: await creator.tokenInput() }));
    const theirs = await other.call<Draft>('POST', path, keyed(key, { json: await other.tokenInput() }));
    expect(theirs.status).toBe(200);
    expect(theirs.body.transactionId).not.toBe(mine.body.transactionId);
  });

  test('decides a refusal anew: the key is not used up', async () => {
    const input = await creator.tokenInput();
    const key = newKey();
    const wrong = keyed(key, { json: { ...input, imageUri: 'https://elsewhere.example/x.jpg' } });
    await creator.client.refusal('IMAGE_NOT_FOUND', 'POST', path, { ...wrong, token: creator.token });
    const { status } = await creator.call('POST', path, keyed(key, { json: input }));
    expect(status).toBe(200);
  });

  test('still gives the draft that has since been submitted', async () => {
    const call = keyed(newKey(), { json: await creator.tokenInput() });
    const first = await creator.call<Draft>('POST', path, call);
    await creator.submit(first.body);
    expect((await creator.call('POST', path, call)).bytes).toEqual(first.bytes);
  });

  test('makes two drafts without a key', async () => {
    const json = await creator.tokenInput();
    const [first, second] = [
      await creator.call<Draft>('POST', path, { json }),
      await creator.call<Draft>('POST', path, { json }),
    ];
    expect(second.body.transactionId).not.toBe(first.body.transactionId);
  });
});

describe('upload-image', () => {
  const path = '/tokens/upload-image';

  test('gives the identical answer again, and refuses the key with another picture', async () => {
    const [bytes, key] = [picture(), newKey()];
    const first = await creator.call('POST', path, keyed(key, { body: imageForm(bytes) }));
    const again = await creator.call('POST', path, keyed(key, { body: imageForm(bytes) }));
    expect(again.bytes).toEqual(first.bytes);
    await creator.client.refusal('IDEMPOTENCY_KEY_REUSED', 'POST', path, {
      ...keyed(key, { body: imageForm(picture()) }),
      token: creator.token,
    });
  });

  test('records one upload of many at once', async () => {
    const [bytes, key] = [picture(), newKey()];
    const stored = await recordedDuring('ImageStored', async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => creator.call('POST', path, keyed(key, { body: imageForm(bytes) }))),
      );
      for (const { status, bytes: body } of answers) {
        expect(status).toBe(200);
        expect(body).toEqual(answers[0]?.bytes);
      }
    });
    expect(stored).toBe(1);
  });

  test('never answers one picture with the address of another, also not at once', async () => {
    const key = newKey();
    const answers = await Promise.all(
      [picture(), picture()].map((bytes) =>
        creator.call('POST', path, keyed(key, { body: imageForm(bytes) })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe('submit', () => {
  const path = '/tokens/submit';

  async function submission(draft: Draft) {
    return { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) };
  }

  test('gives the identical answer again, with the key and without', async () => {
    const json = await submission(await creator.draft());
    const call = keyed(newKey(), { json });
    const first = await creator.call('POST', path, call);
    expect(first.status).toBe(200);
    expect((await creator.call('POST', path, call)).bytes).toEqual(first.bytes);
    expect((await creator.call('POST', path, { json })).bytes).toEqual(first.bytes);
  });

  test('makes one token of many calls at once, with one key, several or none', async () => {
    const json = await submission(await creator.draft());
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
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'schl\u00fcssel']) {
      await creator.client.refusal('VALIDATION_FAILED', 'POST', '/tokens/create-unsigned', {
        ...keyed(key, { json }),
        token: creator.token,
      });
    }
    const longest = keyed('x'.repeat(255), { json });
    expect((await creator.call('POST', '/tokens/create-unsigned', longest)).status).toBe(200);
  });

  test('means nothing on the public wallet call', async () => {
    const call = keyed(newKey(), {});
    const path = '/tokens/generate-distribution-wallet';
    const [first, second] = [
      await creator.client.ask<object>('POST', path, call),
      await creator.client.ask<object>('POST', path, call),
    ];
    expect(second).not.toEqual(first);
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
