// One creator stalls nobody: rounds look at all drafts, and wait neither for sends nor for searches.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LoadedDraft } from '../../../../src/drafts/settling/loaded-draft.ts';
import { createSearches } from '../../../../src/drafts/settling/searches.ts';
import { createSettler } from '../../../../src/drafts/settling/settler.ts';
import type { Step } from '../../../../src/drafts/settling/steps.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { draft } from '../../../../src/streams/draft.ts';
import {
  type DraftEvent,
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
} from '../../../../src/streams/draft-events.ts';
import { streams } from '../../../../src/streams/index.ts';
import { causeOf, clock } from '../../../support/counter.ts';
import {
  acceptedSubmission,
  addresses,
  issuedDraft,
  landedSubmission,
} from '../../../support/domain-examples.ts';
import { undecodableAt } from '../../../support/drafts-on-record.ts';
import { eventually } from '../../../support/eventually.ts';
import { scriptedHistory, strangers } from '../../../support/scripted-history.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const idOf = (name: string) => deriveId('draft', name);

const byId = (one: { readonly transactionId: string }, other: { readonly transactionId: string }) =>
  one.transactionId < other.transactionId ? -1 : 1;

/** A settler of these drafts, each of which is submitted; `decide` says what is to be done about each. */
async function settlerOf(
  names: readonly string[],
  decide: (name: string) => Step,
  given: {
    readonly send?: Chain['send'];
    readonly observe?: (names: readonly string[]) => void;
    /** None is selected unless it says so. */
    readonly select?: (followed: LoadedDraft) => boolean;
    /** The draft's stream cannot be decoded. */
    readonly damaged?: string;
    /** Recorded of each draft besides. */
    readonly rest?: (transactionId: string) => readonly DraftEvent[];
    readonly unseen?: readonly string[];
    /** What `nextStep` is given of when each was first sent. */
    readonly sentSince?: (name: string, sentSince: number | undefined) => void;
  } = {},
) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const nameOf = new Map(names.map((name) => [idOf(name), name]));
  for (const transactionId of nameOf.keys())
    await executor.execute(draft, transactionId, causeOf(), () => [
      DraftIssued({ ...issuedDraft, transactionId }),
      SubmissionAccepted({ ...acceptedSubmission, transactionId }),
      ...(given.rest?.(transactionId) ?? []),
    ]);
  let documents = [...nameOf.keys()]
    .map((transactionId) => ({ transactionId, status: 'submitted' }))
    .toSorted(byId);
  const lists = { away: false };
  const sent: string[] = [];
  const reports: object[] = [];
  const logger = loggerTo((message, details) => void reports.push({ message, ...details }));
  const { chain: history, calls } = scriptedHistory(strangers(25_000));
  const searches = createSearches({ chain: history, clock, logger });
  onTestFinished(() => void searches.stop());
  const settler = createSettler<LoadedDraft, string>(
    {
      select: (followed) => ((given.select?.(followed) ?? true) ? followed : undefined),
      async observe(drafts) {
        const seen = drafts.map(({ transactionId }) => nameOf.get(transactionId) ?? '');
        given.observe?.(seen);
        return seen;
      },
      nextStep(_followed, name, sentSince) {
        given.sentSince?.(name, sentSince);
        return decide(name);
      },
    },
    {
      executor: given.damaged === undefined ? executor : undecodableAt(executor, idOf(given.damaged)),
      readModel: {
        async find(_projection: object, _index: string, _value: string, { limit = 0, after = '' }) {
          if (lists.away) throw new StoreUnavailable('the read model does not answer');
          return documents.filter(({ transactionId }) => transactionId > after).slice(0, limit);
        },
      } as unknown as ReadModel,
      chain: {
        send:
          given.send ??
          (async (wire) => {
            sent.push(Buffer.from(wire).toString());
          }),
      } as unknown as Chain,
      clock,
      unseen: () => (given.unseen ?? []).map(idOf),
      logger,
      inTrace: (_parent, work) => work(),
      slotTime: { measured: async () => undefined, latest: () => undefined },
      searches,
      concluded: () => undefined,
      pause: 300,
    },
  );
  const eventsOf = async (name: string) =>
    (await executor.load(draft, idOf(name))).events.map(({ type }) => type);
  /** The read model shows these drafts, and no others. */
  const show = (shown: readonly string[], status = 'submitted') => {
    documents = shown.map((name) => ({ transactionId: idOf(name), status })).toSorted(byId);
  };
  return { settler, sent, reports, calls, eventsOf, show, lists, searches };
}

const sending = (name: string): Step => ({
  kind: 'send',
  transaction: Buffer.from(name).toString('base64'),
});
const searching: Step = {
  kind: 'search',
  search: {
    name: 'ours',
    commitment: 'finalized',
    known: [],
    history: {
      address: addresses.mint,
      window: { from: undefined, to: undefined },
      likelihood: () => 'possible',
    },
    matches: () => false,
  },
  conclude: () => ({ kind: 'wait' }),
};

test('accepted bytes are sent in the round that finds them good, while the flooded histories of others are read', async () => {
  const flooded = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { settler, sent, calls, eventsOf, reports } = await settlerOf([...flooded, 'good'], (name) =>
    name === 'good' ? sending(name) : searching,
  );
  await settler.settle();
  await settler.stop();
  expect(sent).toEqual(['good']);
  expect(calls.reads).toBeLessThan(25_000);
  await eventually('the floods are recorded', async () => {
    await settler.settle();
    const events = await Promise.all(flooded.map(eventsOf));
    return events.every((types) => types.includes('DraftHistoryFlooded'));
  });
  for (let round = 0; round < 5; round += 1) await settler.settle();
  const events = await Promise.all(flooded.map(eventsOf));
  expect(events.map((types) => types.filter((type) => type === 'DraftHistoryFlooded').length)).toEqual(
    flooded.map(() => 1),
  );
  expect(reports).toHaveLength(flooded.length);
});

test('a send that hangs holds up no round, no other draft, and is not begun twice', async () => {
  const begun: string[] = [];
  const { settler } = await settlerOf(['hangs', 'good'], sending, {
    send: (wire) => {
      const name = Buffer.from(wire).toString();
      begun.push(name);
      return name === 'hangs' ? new Promise(() => undefined) : Promise.resolve();
    },
  });
  for (let round = 0; round < 3; round += 1) await settler.settle();
  expect(begun.toSorted()).toEqual(['good', 'hangs']);
});

test('what the log names is sent while the read model shows nothing, or does not answer', async () => {
  const { settler, sent, show, lists } = await settlerOf(['one', 'two'], sending, { unseen: ['one', 'two'] });
  show([]);
  await settler.settle();
  await settler.stop();
  expect(sent).toEqual(['one', 'two']);
  lists.away = true;
  const away = await settlerOf(['three'], sending, { unseen: ['three'] });
  away.lists.away = true;
  await expect(away.settler.settle()).rejects.toThrow(StoreUnavailable);
  await away.settler.stop();
  expect(away.sent).toEqual(['three']);
});

test('a step knows when the bytes were first sent: neither before, nor where the chain did not take them', async () => {
  const known: (number | undefined)[] = [];
  let isAway = true;
  const { settler } = await settlerOf(['one'], () => sending(`bytes of round ${known.length}`), {
    async send() {
      if (isAway) throw new ChainUnavailable('away');
    },
    sentSince: (_name, sentSince) => void known.push(sentSince),
  });
  const round = async () => {
    await settler.settle().catch(() => undefined);
    await settler.stop();
  };
  await round();
  isAway = false;
  await round();
  await round();
  expect(known).toEqual([undefined, undefined, clock.now().getTime()]);
});

test('an answer that makes no sense about one draft keeps no other from being looked at', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `draft-${index}`);
  const { settler, sent, reports } = await settlerOf(names, sending, {
    observe(seen) {
      if (seen.includes('draft-3')) throw new ChainAnswerInvalid('an account that makes no sense');
    },
  });
  await settler.settle();
  await settler.stop();
  expect(sent.toSorted()).toEqual(names.filter((name) => name !== 'draft-3'));
  expect(reports).toMatchObject([{ count: 1, transactionId: idOf('draft-3') }]);
});

const WAIT: Step = { kind: 'wait' };
const GONE: Step = { kind: 'absent', event: SubmissionDropped({ transactionId: idOf('a') }) };
const EXPIRED: Step = {
  kind: 'absent',
  event: SubmissionFailed({ transactionId: idOf('a'), code: 'TRANSACTION_EXPIRED', message: '', logs: [] }),
};
const confirmed = (transactionId: string) => [SubmissionConfirmed({ ...landedSubmission, transactionId })];

describe('a confirmation that is gone', () => {
  /** Whether it is recorded as dropped after these rounds. */
  async function isDroppedAfter(rounds: readonly (Step | 'throws' | 'not shown' | 'makes no sense')[]) {
    let round = 0;
    const decide = (): Step => {
      const step = rounds[round - 1];
      if (typeof step === 'string' || step === undefined) throw new Error('no step');
      return step;
    };
    const observe = (seen: readonly string[]) => {
      if (rounds[round - 1] === 'makes no sense' && seen.includes('a'))
        throw new ChainAnswerInvalid('nonsense');
    };
    // Of two, so that what concerns one fails no round.
    const at = await settlerOf(['a', 'b'], (name) => (name === 'a' ? decide() : WAIT), {
      observe,
      rest: confirmed,
    });
    for (const step of rounds) {
      round += 1;
      at.show(step === 'not shown' ? ['b'] : ['a', 'b']);
      await at.settler.settle();
    }
    return (await at.eventsOf('a')).includes('SubmissionDropped');
  }

  test.each<[string, boolean, Parameters<typeof isDroppedAfter>[0]]>([
    ['after five observations in a row', true, [GONE, GONE, GONE, GONE, GONE]],
    ['not after four', false, [GONE, GONE, GONE, GONE]],
    ['not where another observation was between', false, [GONE, GONE, GONE, GONE, WAIT, GONE]],
    ['not where it lacked something else between', false, [GONE, GONE, EXPIRED, GONE, GONE, GONE]],
    ['not where looking at it failed between', false, [GONE, GONE, GONE, GONE, 'throws', GONE]],
    ['not where it was not there between', false, [GONE, GONE, GONE, GONE, 'not shown', GONE]],
    [
      'all the same where an answer made no sense: it is none',
      true,
      [GONE, GONE, 'makes no sense', GONE, GONE, GONE],
    ],
  ])('is taken back: %s', async (_when, isDropped, rounds) => {
    expect(await isDroppedAfter(rounds)).toBe(isDropped);
  });
});

describe('a round', () => {
  test('looks only at drafts that do not rest, and tells when the first of those is due', async () => {
    const looked: string[][] = [];
    const at = await settlerOf(['a', 'b'], (name) => (name === 'a' ? WAIT : sending(name)), {
      observe: (seen) => void looked.push([...seen].sort()),
      rest: confirmed,
    });
    at.show(['a', 'b'], 'confirmed');
    for (let round = 0; round < 2; round += 1) expect(await at.settler.settle()).toBe(300);
    // What is looked at rests by then: the pause is that of its rest.
    const resting = await settlerOf(['a'], () => WAIT, { rest: confirmed });
    resting.show(['a'], 'confirmed');
    expect(await resting.settler.settle()).toBe(1_000);
    expect(looked).toEqual([['a', 'b'], ['b']]);
    at.show(['a'], 'confirmed');
    expect(await at.settler.settle()).toBe(1_000);
    at.show([]);
    expect(await at.settler.settle()).toBe(2_000);
  });

  test('asks the chain nothing where no draft is to be looked at', async () => {
    const at = await settlerOf(['a'], sending, {
      select: () => false,
      observe: () => expect.unreachable('the chain is asked'),
    });
    await at.settler.settle();
    expect(at.sent).toEqual([]);
  });

  test('fails where the chain does not answer, without asking again about each draft', async () => {
    let asked = 0;
    const away = new Error('the node is away');
    const at = await settlerOf(['a', 'b'], sending, {
      observe() {
        asked += 1;
        throw away;
      },
    });
    await expect(at.settler.settle()).rejects.toBe(away);
    expect(asked).toBe(1);
  });

  test.each([
    [['a']],
    [['a', 'b', 'c']],
  ])('fails where no answer about any draft makes sense: %j', async (names) => {
    const nonsense = new ChainAnswerInvalid('nonsense');
    const at = await settlerOf(names, sending, {
      observe() {
        throw nonsense;
      },
    });
    await expect(at.settler.settle()).rejects.toBe(nonsense);
    expect(at.sent).toEqual([]);
  });
});

describe('a search ends', () => {
  test('when its draft needs it no more', async () => {
    let step: Step = searching;
    const at = await settlerOf(['a'], () => step);
    await at.settler.settle();
    expect(at.searches.counts().all).toBe(1);
    await at.settler.settle();
    expect(at.searches.counts().all).toBe(1);
    step = WAIT;
    await at.settler.settle();
    expect(at.searches.counts().all).toBe(0);
  });
});
