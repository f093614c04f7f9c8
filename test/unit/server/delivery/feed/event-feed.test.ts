// What subscribers are told: everything that they may know, once, in order, from where they left off.
import { describe, expect, test } from 'vitest';
import type { EventStore } from '../../../../../src/kernel/ports/event-store.ts';
import { SubmissionDropped } from '../../../../../src/streams/draft-events.ts';
import { PromotionEnded } from '../../../../../src/streams/featured-list.ts';
import { TokenHidden, TokenShown } from '../../../../../src/streams/token.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { openFeeding, type Subscription, someToken } from '../../../../support/feeding.ts';
import { until } from '../../../../support/projecting.ts';
import { quarantineAt } from '../../../../support/quarantining.ts';

const { transactionId } = ids;
const privateEvent = SubmissionDropped({ transactionId });
const positionsOf = ({ events }: Subscription) => events.map(({ position }) => position);
const typesOf = ({ events }: Subscription) => events.map(({ type }) => type);

describe('a subscriber', () => {
  test('that asks for nothing in particular is told what comes next, and at once after what to go on', async () => {
    const { record, subscribe, store } = await openFeeding();
    await record(someToken());
    const head = await store.head();
    const one = await subscribe();
    await until(() => one.checkpoints.length === 1);
    expect([one.events, one.lastEventId]).toEqual([[], head]);
    const position = await record(someToken());
    await until(() => one.events.length === 1);
    expect(positionsOf(one)).toEqual([position]);
  });

  test('is told what it selected, and otherwise only how far it is', async () => {
    const feeding = await openFeeding({ heartbeat: 10 });
    const { record, subscribe } = feeding;
    const one = await subscribe({ types: 'tokens.hidden' });
    await record(someToken());
    const silent = await record(someToken());
    await until(() => one.lastEventId === silent);
    expect(one.events).toEqual([]);
    const hidden = await record(TokenHidden({ tokenId: ids.tokenId, reason: 'A copy.' }));
    await until(() => one.events.length === 1);
    expect(positionsOf(one)).toEqual([hidden]);
    // Coming back, it need not look at what it did not want.
    const back = await subscribe({ types: 'tokens.hidden', after: silent });
    await until(() => back.events.length === 1);
    expect(positionsOf(back)).toEqual([hidden]);
  });

  test('is told how far it is also where everything is for operators, and them it is told', async () => {
    const { record, subscribe } = await openFeeding({ heartbeat: 10 });
    const [anybody, operator] = [await subscribe(), await subscribe({ audience: 'operators' })];
    const position = await record(privateEvent);
    await until(() => operator.events.length === 1 && anybody.lastEventId === position);
    expect([typesOf(operator), typesOf(anybody)]).toEqual([['levy.submissions.dropped'], []]);
  });

  test('gets a comment as a sign of life where nothing has happened', async () => {
    const { subscribe } = await openFeeding({ heartbeat: 10 });
    const one = await subscribe();
    await until(() => one.comments >= 3);
    expect(one.checkpoints).toHaveLength(1);
  });
});

describe('where catching up meets what comes', () => {
  test.each([1, 3, 1_000])('nothing is lost or told twice, with %i frames in memory', async (recent) => {
    const feeding = await openFeeding({ recent });
    const positions: string[] = [await feeding.store.head()];
    const subscriptions: { readonly after: string; readonly one: Subscription }[] = [];
    const random = seeded(recent);
    let reading = true;
    async function write(): Promise<void> {
      while (reading) {
        const burst = Array.from({ length: 1 + random(2) }, () => feeding.record(someToken()));
        positions.push(...(await Promise.all(burst)));
      }
    }
    const writers = [write(), write()];
    while (subscriptions.length < 15) {
      const after = positions[random(positions.length)] ?? '';
      subscriptions.push({ after, one: await feeding.subscribe({ after }) });
      for (let turns = random(10); turns > 0; turns -= 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    reading = false;
    await Promise.all(writers);
    const all = positions.toSorted();
    const last = all.at(-1);
    for (const { after, one } of subscriptions) {
      await until(() => one.lastEventId === last);
      expect(positionsOf(one)).toEqual(all.filter((position) => position > after));
    }
  });

  test('who comes while what was recorded has not arrived is told only what is recorded later', async () => {
    const held = createHeld();
    const { record, subscribe } = await openFeeding({ decorate: held.decorate });
    const early = await subscribe();
    await until(() => early.checkpoints.length === 1);
    held.hold();
    const before = await record(someToken());
    const late = await subscribe();
    const after = [await record(someToken()), await record(someToken())];
    held.release();
    await until(() => early.events.length === 3);
    expect(positionsOf(early)).toEqual([before, ...after]);
    expect(positionsOf(late)).toEqual(after);
    const next = await record(someToken());
    await until(() => late.lastEventId === next);
    expect(positionsOf(late)).toEqual([...after, next]);
  });
});

describe('a subscriber that is too slow', () => {
  const big = () => someToken(undefined, 'x'.repeat(2_000));

  test('is cut off when too much waits, and is given everything when it comes back', async () => {
    const { record, subscribe, feed } = await openFeeding({ bufferBytes: 10_000 });
    const positions: string[] = [];
    const [slow, other] = [await subscribe({ isSlow: true }), await subscribe()];
    await until(() => {
      slow.sink.take();
      return slow.checkpoints.length === 1;
    });
    for (let count = 0; count < 20 && !slow.ended; count += 1) {
      positions.push(await record(big()));
      await until(() => other.events.length === positions.length);
    }
    expect(slow.sink.ending).toBe('cut');
    expect(positions.length).toBeGreaterThan(3);
    expect(feed.status().subscribers).toBe(1);
    const back = await subscribe({ after: slow.lastEventId });
    await until(() => back.events.length === positions.length);
    expect(positionsOf(back)).toEqual(positions);
    expect(positionsOf(other)).toEqual(positions);
  });

  test('is not cut off for what it has still to catch up with: it is given that as it takes it', async () => {
    const { record, subscribe } = await openFeeding({ bufferBytes: 1_024, recent: 10 });
    const positions: string[] = [];
    for (let count = 0; count < 100; count += 1) positions.push(await record(big()));
    const slow = await subscribe({ after: 'start', isSlow: true });
    let most = 0;
    await until(() => {
      most = Math.max(most, slow.sink.waiting);
      slow.sink.take();
      return slow.events.length === positions.length + 1;
    });
    expect(positionsOf(slow).slice(1)).toEqual(positions);
    expect(most).toBeLessThan(80_000);
    expect(slow.ended).toBe(false);
  });
});

describe('of a hidden token,', () => {
  const tokenId = ids.tokenId;
  const hidden = TokenHidden({ tokenId, reason: 'A copy.' });
  const shown = TokenShown({ tokenId, reason: null });
  const promotionEnded = PromotionEnded({
    promotionId: ids.walletId,
    tokenId,
    reason: 'A copy.',
    endedAt: '2026-05-04T10:00:00.000Z',
  });
  const names = ({ events }: Subscription) => events.map(({ data }) => data?.name ?? null);

  test('the public is told that it is hidden, and nothing else, however early it happened', async () => {
    const { record, subscribe, another } = await openFeeding();
    const other = await record(someToken(undefined, 'Another'));
    await record(hidden);
    const last = await record(privateEvent);
    for (const feeding of [{ subscribe }, another()]) {
      const one = await feeding.subscribe({ after: 'start' });
      await until(() => one.lastEventId === last);
      expect(typesOf(one)).toEqual(['levy.tokens.created', 'levy.tokens.hidden']);
      expect(positionsOf(one)[0]).toBe(other);
      expect(one.events[1]?.data).toEqual({ tokenId, mintAddress: expect.any(String) });
      const operator = await feeding.subscribe({ after: 'start', audience: 'operators' });
      await until(() => operator.lastEventId === last);
      expect(names(operator)).toEqual(['Levy Example', 'Another', null, null]);
    }
  });

  test('the public is told again from when it is shown, also of what was before', async () => {
    const { record, subscribe } = await openFeeding();
    const live = await subscribe();
    await record(hidden);
    await record(someToken(tokenId, 'While hidden'));
    // It is created anew there, and so no longer hidden; hide it again.
    await record(hidden);
    const last = await record(shown);
    await until(() => live.lastEventId === last);
    expect(typesOf(live).at(-1)).toBe('levy.tokens.shown');
    const replay = await subscribe({ after: 'start' });
    await until(() => replay.lastEventId === last);
    expect(names(replay)).toEqual(['Levy Example', null, 'While hidden', null, null]);
  });

  test('nothing is told either to who listens', async () => {
    const { record, subscribe } = await openFeeding({ heartbeat: 10 });
    const [live, operator] = [await subscribe(), await subscribe({ audience: 'operators' })];
    await record(hidden);
    const last = await record(promotionEnded);
    await until(() => live.lastEventId === last && operator.lastEventId === last);
    expect(typesOf(live)).toEqual(['levy.tokens.hidden']);
    expect(typesOf(operator)).toEqual(['levy.tokens.hidden', 'levy.promotions.ended']);
    await record(shown);
    const told = await record(promotionEnded);
    await until(() => live.lastEventId === told);
    expect(typesOf(live).slice(1)).toEqual(['levy.tokens.shown', 'levy.promotions.ended']);
  });

  test('nothing is told either while the read model is behind', async () => {
    const { record, another, projecting } = await openFeeding();
    const live = await another().subscribe();
    await projecting.projector.stop();
    await record(hidden);
    const last = await record(privateEvent);
    const late = another();
    const one = await late.subscribe({ after: 'start' });
    await until(() => one.lastEventId === last && live.events.length === 1);
    expect([typesOf(one), typesOf(live)]).toEqual([['levy.tokens.hidden'], ['levy.tokens.hidden']]);
  });
});

describe('an id to go on after', () => {
  test.each([
    '0',
    '9'.repeat(20),
    '0'.repeat(65),
    "' OR 1=1",
  ])('that no event had is refused: %j', async (id) => {
    const { feed } = await openFeeding();
    await expect(feed.startAt(id)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('that is beyond the end is refused until the log has come so far', async () => {
    const { feed, store, record, subscribe } = await openFeeding();
    const next = String(Number(await store.head()) + 1).padStart(20, '0');
    await expect(feed.startAt(next)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await record(someToken())).toBe(next);
    const after = await record(someToken());
    const one = await subscribe({ after: next });
    await until(() => one.events.length === 1);
    expect(positionsOf(one)).toEqual([after]);
  });
});

describe('the store', () => {
  function counting() {
    let open = 0;
    let most = 0;
    return {
      counts: () => ({ open, most }),
      decorate: (store: EventStore): EventStore => ({
        ...store,
        async *subscribe(options) {
          open += 1;
          most = Math.max(most, open);
          try {
            yield* store.subscribe(options);
          } finally {
            open -= 1;
          }
        },
      }),
    };
  }

  test('has one subscription for all who are told live', async () => {
    const { counts, decorate } = counting();
    const { record, subscribe } = await openFeeding({ decorate });
    const all = await Promise.all(Array.from({ length: 50 }, () => subscribe()));
    await until(() => all.every(({ checkpoints }) => checkpoints.length === 1));
    expect(counts().open).toBe(1);
    await record(someToken());
    await until(() => all.every(({ events }) => events.length === 1));
    expect(counts().open).toBe(1);
    // They are sent the same bytes, not each a copy of its own.
    const [first] = all;
    expect(
      all.every(({ sink }) => sink.received.at(-1)?.equals(first?.sink.received.at(-1) ?? Buffer.of())),
    ).toBe(true);
  });

  test('is asked by few at a time, however many catch up', async () => {
    const { counts, decorate } = counting();
    const { record, subscribe, store } = await openFeeding({ decorate, recent: 1 });
    for (let count = 0; count < 60; count += 1) await record(someToken());
    await subscribe();
    const last = await store.head();
    const all = await Promise.all(Array.from({ length: 20 }, () => subscribe({ after: 'start' })));
    await until(() => all.every(({ lastEventId }) => lastEventId === last));
    expect(counts().most).toBeLessThanOrEqual(10);
    expect(counts().open).toBe(1);
  });
});

describe('the feed', () => {
  test('ends with whatever its subscribers are doing, and takes no more', async () => {
    const { feed, subscribe, record } = await openFeeding({ recent: 1 });
    for (let count = 0; count < 60; count += 1) await record(someToken());
    const live = await subscribe();
    const behind = await subscribe({ after: 'start' });
    const slow = await subscribe({ after: 'start', isSlow: true });
    await feed.close();
    expect([live.ended, behind.ended, slow.ended]).toEqual([true, true, true]);
    expect(feed.status()).toMatchObject({ state: 'closed', subscribers: 0 });
    await expect(feed.startAt(undefined)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('keeps nobody waiting for a store that does not answer, and works when it does again', async () => {
    const held = createHeld();
    const { feed, store } = await openFeeding({ decorate: held.decorate, patience: 20 });
    held.hold();
    await expect(feed.startAt(undefined)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    held.release();
    const position = await store.head();
    await until(() => feed.status().state === 'running');
    expect(await feed.startAt(position)).toEqual({ position, lastSent: position });
  });

  test('waits at an event that it cannot decode, names it, and goes on once it is quarantined', async () => {
    const feeding = await openFeeding();
    const { feed, subscribe, store, reports, record, projecting } = feeding;
    const one = await subscribe();
    const before = await record(someToken());
    const nonsense = { id: ids.walletId, type: 'TokenCreated', data: { tokenId: 7 }, metadata: {} };
    await store.append('token-nonsense', 'none', [nonsense]);
    const after = await record(someToken());
    await until(() => feed.status().state === 'blocked');
    expect(feed.status().blockedBy).toMatchObject({
      eventId: ids.walletId,
      stream: 'token-nonsense',
      revision: 0,
    });
    expect(reports.filter((report) => report.includes('is paused before an event'))).toHaveLength(1);
    expect(one.ended).toBe(false);
    expect(one.events.map(({ position }) => position)).toEqual([before]);
    const returned = feeding.another({ recent: 0 });
    const other = await returned.subscribe({ after: 'start' });
    await until(() => other.events.some(({ position }) => position === before));

    await quarantineAt(projecting.store, { eventId: ids.walletId, stream: 'token-nonsense', revision: 0 });
    await projecting.reader.refresh();
    await until(() => one.events.length === 2);
    expect(one.events.map(({ position }) => position)).toEqual([before, after]);
    expect(feed.status()).toMatchObject({ state: 'running', blockedBy: undefined });
    await until(() => other.events.some(({ position }) => position === after));
  });
});

/** Holds back what a store's subscriptions bring, until it is released. */
function createHeld() {
  let release = () => {};
  let released: Promise<void> = Promise.resolve();
  return {
    hold() {
      released = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    decorate: (store: EventStore): EventStore => ({
      ...store,
      async *subscribe(options) {
        for await (const message of store.subscribe(options)) {
          await released;
          yield message;
        }
      },
    }),
  };
}

/** Whole numbers below `bound`, the same for the same seed (xorshift). */
function seeded(seed: number): (bound: number) => number {
  let state = seed + 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
