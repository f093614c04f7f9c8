// What landed drafts were for is recorded once, is taken back after a fork, and waits for no other draft.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFulfilment } from '../../../../src/drafts/settling/fulfilment.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import {
  type DraftEvent,
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../../../src/streams/draft-events.ts';
import { FEATURED_LIST, featuredList } from '../../../../src/streams/featured-list.ts';
import {
  acceptedSubmission,
  issuedDraft,
  landedSubmission,
  token as tokenSubject,
} from '../../../support/domain-examples.ts';
import { draftsOnRecord, undecodableAt } from '../../../support/drafts-on-record.ts';
import { purchase } from '../../../support/promotion-examples.ts';

const idOf = (name: string) => deriveId('draft', name);
const tokenIdOf = (name: string) => deriveId('token', name);

/** Drafts that create a token each, accepted; `rest`: what became of them. */
const creation = (name: string, ...rest: readonly DraftEvent[]): readonly DraftEvent[] => {
  const transactionId = idOf(name);
  const subject = { ...tokenSubject, tokenId: tokenIdOf(name) };
  return [
    DraftIssued({ ...issuedDraft, transactionId, subject }),
    SubmissionAccepted({ ...acceptedSubmission, transactionId }),
    ...rest,
  ];
};
const confirmed = (name: string) => SubmissionConfirmed({ ...landedSubmission, transactionId: idOf(name) });
const finalized = (name: string) => SubmissionFinalized({ ...landedSubmission, transactionId: idOf(name) });
const dropped = (name: string) => SubmissionDropped({ transactionId: idOf(name) });
const failed = (name: string) =>
  SubmissionFailed({ transactionId: idOf(name), code: 'TRANSACTION_EXPIRED', message: 'over', logs: [] });

async function fulfilling(
  change: (
    world: Awaited<ReturnType<typeof draftsOnRecord>>,
  ) => Partial<Parameters<typeof createFulfilment>[0]> = () => ({}),
) {
  const world = await draftsOnRecord();
  const reports: { readonly [name: string]: unknown }[] = [];
  const fulfilment = createFulfilment({
    ...world,
    chain: {} as Chain,
    policy: { featuredPlaces: 3 },
    unrecorded: () => [],
    logger: loggerTo((message, details) => void reports.push({ message, ...details })),
    inTrace: (_parent, work) => work(),
    ...change(world),
  });
  onTestFinished(() => fulfilment.stop());
  return {
    ...world,
    reports,
    fulfilment,
    /** One round, and the end of all that it began. */
    async round() {
      await fulfilment.fulfil();
      await fulfilment.stop();
    },
    tokenEvents: (name: string) => world.typesIn(`token-${tokenIdOf(name)}`),
  };
}

/** Records as it is, but first does something where it records the token of draft `a`. */
const beforeRecording = (work: () => unknown) =>
  fulfilling(({ executor }) => ({
    executor: {
      ...executor,
      async execute(stream, streamId, ...rest) {
        if (streamId === tokenIdOf('a')) await work();
        return executor.execute(stream, streamId, ...rest);
      },
    },
  }));

describe('what a draft was for', () => {
  test('is recorded once it has landed, once, and not before', async () => {
    const at = await fulfilling();
    await at.record(idOf('a'), ...creation('a'));
    await at.round();
    expect(await at.tokenEvents('a')).toEqual([]);
    await at.record(idOf('a'), confirmed('a'));
    for (let times = 0; times < 2; times += 1) await at.round();
    await at.record(idOf('a'), finalized('a'));
    await at.round();
    expect(await at.tokenEvents('a')).toEqual(['TokenCreated']);
  });

  test('is taken back after a fork, once its transaction can never land again, and once', async () => {
    const at = await fulfilling();
    await at.record(idOf('a'), ...creation('a', confirmed('a')));
    await at.round();
    await at.record(idOf('a'), dropped('a'));
    await at.round();
    expect(await at.tokenEvents('a')).toEqual(['TokenCreated']);
    await at.record(idOf('a'), failed('a'));
    for (let times = 0; times < 2; times += 1) await at.round();
    expect(await at.tokenEvents('a')).toEqual(['TokenCreated', 'TokenCreationReverted']);
  });
});

describe('a read model that is behind, or shows other drafts than there are,', () => {
  const shownAs = (work: string) => (world: Awaited<ReturnType<typeof draftsOnRecord>>) => ({
    readModel: {
      ...world.readModel,
      find: (async (_projection: object, _index: string, wanted: string) =>
        wanted === work ? [{ transactionId: idOf('a') }] : []) as unknown as typeof world.readModel.find,
    },
  });

  test('has nothing recorded of a draft that has not landed, or too little', async () => {
    const at = await fulfilling(shownAs('record'));
    await at.record(idOf('a'), ...creation('a'));
    await at.round();
    expect(await at.tokenEvents('a')).toEqual([]);
    const early = await fulfilling(shownAs('record'));
    const transactionId = idOf('a');
    await early.record(
      transactionId,
      DraftIssued({ ...issuedDraft, transactionId, subject: purchase }),
      SubmissionAccepted({ ...acceptedSubmission, transactionId }),
      confirmed('a'),
    );
    await early.round();
    expect(await early.typesIn(`${featuredList.category}-${FEATURED_LIST}`)).toEqual([]);
  });

  test('has nothing taken back of a failed draft whose purpose takes nothing back', async () => {
    const transactionId = idOf('a');
    const at = await fulfilling(shownAs('revert'));
    await at.record(
      transactionId,
      DraftIssued({ ...issuedDraft, transactionId, subject: purchase }),
      SubmissionAccepted({ ...acceptedSubmission, transactionId }),
      failed('a'),
    );
    for (let times = 0; times < 2; times += 1) await at.round();
    expect(at.reports).toEqual([]);
  });
});

describe('a draft whose recording', () => {
  test('fails delays no other, is reported, and is tried again', async () => {
    let isAway = true;
    const at = await beforeRecording(() => {
      if (isAway) throw new StoreUnavailable('away');
    });
    for (const name of ['a', 'b']) await at.record(idOf(name), ...creation(name, confirmed(name)));
    await at.round();
    expect([await at.tokenEvents('a'), await at.tokenEvents('b')]).toEqual([[], ['TokenCreated']]);
    isAway = false;
    await at.round();
    expect(at.reports).toMatchObject([{ count: 1, transactionId: idOf('a') }]);
    expect(await at.tokenEvents('a')).toEqual(['TokenCreated']);
  });

  test('fails as all others do makes the next round fail', async () => {
    const away = new StoreUnavailable('away');
    const at = await beforeRecording(() => {
      throw away;
    });
    await at.record(idOf('a'), ...creation('a', confirmed('a')));
    await at.round();
    await expect(at.fulfilment.fulfil()).rejects.toBe(away);
  });

  test('cannot be decoded is passed over', async () => {
    const at = await fulfilling(({ executor }) => ({ executor: undecodableAt(executor, idOf('a')) }));
    for (const name of ['a', 'b']) await at.record(idOf(name), ...creation(name, confirmed(name)));
    for (let times = 0; times < 2; times += 1) await at.round();
    expect([await at.tokenEvents('a'), await at.tokenEvents('b')]).toEqual([[], ['TokenCreated']]);
    expect(at.reports).toEqual([]);
  });

  test('hangs is begun once, and delays no other', async () => {
    let begun = 0;
    let goOn = () => {};
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const at = await beforeRecording(() => {
      begun += 1;
      return going;
    });
    for (const name of ['a', 'b']) await at.record(idOf(name), ...creation(name, confirmed(name)));
    for (let times = 0; times < 3; times += 1) {
      await at.fulfilment.fulfil();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await at.tokenEvents('b')).toEqual(['TokenCreated']);
    expect(begun).toBe(1);
    goOn();
    await at.fulfilment.stop();
    expect(await at.tokenEvents('a')).toEqual(['TokenCreated']);
  });
});
