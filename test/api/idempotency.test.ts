/** The same Idempotency-Key gives the first answer again, and nothing is recorded twice. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { type Answer, type CallOptions, createClient } from '../support/client.ts';
import {
  type Creator,
  creatorWith,
  type Draft,
  imageForm,
  openCreator,
  picture,
  signIn,
} from '../support/creator.ts';
import { createHeldAppends } from '../support/held-appends.ts';
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
    const [first, ...others] = answers;
    for (const other of others) expect(other.bytes).toEqual(first?.bytes);
    for (const { status } of answers) expect(status).toBe(200);
    expect((await creator.call('POST', path, call)).bytes).toEqual(first?.bytes);
  });

  test('gives another caller a draft of its own under the same key', async () => {
    const key = newKey();
    const other = await openCreator(service);
    const mine = await creator.call<Draft>('POST', path, keyed(key, { json: await creator.tokenInput() }));
    const theirs = await other.call<Draft>('POST', path, keyed(key, { json: await other.tokenInput() }));
    expect(theirs.status).toBe(200);
    expect(theirs.body.transactionId).not.toBe(mine.body.transactionId);
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

describe('changes of settings', () => {
  async function settingsOf({ token }: { readonly token: { readonly id: string } }) {
    const path = `/distribution/${token.id}/settings`;
    const read = await creator.call('GET', path);
    return {
      tag: read.headers.get('etag') ?? '',
      change: (key: string, json: object, headers: { readonly [name: string]: string } = {}) =>
        creator.call('PATCH', path, { json, headers: { 'idempotency-key': key, ...headers } }),
    };
  }

  test('are answered as they were first, whatever was changed since', async () => {
    const { tag, change } = await settingsOf(await creator.createToken());
    const key = newKey();
    const first = await change(key, { burnPercent: 5 }, { 'if-match': tag });
    expect([first.status, first.body]).toMatchObject([200, { burnPercent: 5 }]);
    await change(newKey(), { burnPercent: 7 });
    // The tag is not the latest any more, and was when it mattered.
    const again = await change(key, { burnPercent: 5 }, { 'if-match': tag });
    expect([again.status, again.bytes]).toEqual([200, first.bytes]);
    for (const name of ['etag', 'x-position']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  });
});

describe('a call that comes while the first with its key is under way', () => {
  async function heldSubmission() {
    const appends = createHeldAppends();
    const held = await openTestService({ NONCE_ACCOUNTS_MIN: '2' }, { decorateStore: appends.decorate });
    const own = await openCreator(held);
    const drafts = [await own.draft(), await own.draft()];
    const submit = (place: number) => {
      const draft = drafts[place];
      if (draft === undefined) throw new Error('there are two drafts');
      const json = { transactionId: draft.transactionId, signedTransaction: own.sign(draft) };
      return own.call<{ code?: string }>('POST', '/tokens/submit', keyed('held', { json }));
    };
    const accepting = appends.hold('SubmissionAccepted');
    const first = submit(0);
    await accepting.arrived;
    return { own, submit, first, release: accepting.release, recorded: held.recorded };
  }

  test('waits for it, and is given its answer', async () => {
    const { own, submit, first, release, recorded } = await heldSubmission();
    const others = [submit(0), submit(0)];
    const answered: number[] = [];
    for (const each of [first, ...others]) void each.then(({ status }) => answered.push(status));
    // Nobody is answered while others are.
    for (let calls = 0; calls < 5; calls += 1) await own.call('GET', '/tokens/me');
    expect(answered).toEqual([]);
    release();
    const { status, bytes } = await first;
    expect(status).toBe(200);
    for (const each of others) expect((await each).bytes).toEqual(bytes);
    expect(recorded.filter(({ type }) => type === 'SubmissionAccepted')).toHaveLength(1);
  });

  test('and is about something else, waits too, and is refused', async () => {
    const { submit, first, release } = await heldSubmission();
    const other = submit(1);
    release();
    expect((await first).status).toBe(200);
    expect([(await other).status, (await other).body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

test('a restart changes nothing of all that', async () => {
  const folder = await folderForTheFile();
  const environment = { PUBLIC_URL: 'http://levy.example', NONCE_ACCOUNTS_MIN: '2' };
  const before = await openTestService(environment, { folder });
  const own = await openCreator(before);
  const draft = await own.draft();
  const call = keyed('submission', {
    json: { transactionId: draft.transactionId, signedTransaction: own.sign(draft) },
  });
  const submitted = await own.call<{ token: { id: string } }>('POST', '/tokens/submit', call);
  const path = `/distribution/${submitted.body.token.id}/settings`;
  const changed = await own.call('PATCH', path, keyed('change', { json: { burnPercent: 5 } }));
  await own.call('PATCH', path, { json: { burnPercent: 6 } });
  await before.close();

  const { client, keypair, token } = {
    ...own,
    client: createClient((await openTestService(environment, { folder })).url),
  };
  const later = creatorWith({ client, keypair, token });
  expect((await later.call('POST', '/tokens/submit', call)).bytes).toEqual(submitted.bytes);
  expect((await later.call('PATCH', path, keyed('change', { json: { burnPercent: 5 } }))).bytes).toEqual(
    changed.bytes,
  );
  for (const [method, at, key] of [
    ['PATCH', path, 'change'],
    ['POST', '/tokens/submit', 'submission'],
  ] as const) {
    const json =
      method === 'PATCH'
        ? { burnPercent: 8 }
        : { transactionId: draft.transactionId, signedTransaction: 'AA==' };
    await client.refusal('IDEMPOTENCY_KEY_REUSED', method, at, { ...keyed(key, { json }), token });
  }
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
