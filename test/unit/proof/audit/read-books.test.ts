// Books are read from log and ledger files, and a file that is missing or not the recorded one is no book at all.
import { describe, expect, test } from 'vitest';
import { auditAmounts } from '../../../../src/proof/audit/audit-amounts.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import { LedgerFileInvalid } from '../../../../src/proof/audit/ledger-files.ts';
import {
  type BooksSource,
  bookedLink,
  outlineBooks,
  readBooks,
} from '../../../../src/proof/audit/read-books.ts';
import { type DistributionEvent, NOTHING_CARRIED } from '../../../../src/streams/distribution.ts';
import type { DistributionRunEvent } from '../../../../src/streams/distribution-run.ts';
import { openRecorded, splitRecorded } from '../../../support/distribution-examples.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';
import { generateRuns } from '../../../support/generated-runs.ts';

const runs = generateRuns(
  5,
  { tokenId: ids.tokenId, mint: addresses.mint },
  { owners: 40, assets: ['sol', 'token', 'sol'] },
);
const files = new Map(
  runs.flatMap(({ allotment, settlement }) =>
    [allotment, settlement].map(({ sha256, bytes }) => [sha256, bytes] as const),
  ),
);
const OF_TOKEN = ['RunOpened', 'LinksLanded', 'RunClosed'];

function source(
  file: BooksSource['file'] = async (sha256) => files.get(sha256),
  isRecorded: (event: DistributionEvent) => boolean = () => true,
): BooksSource {
  return {
    distribution: runs
      .flatMap(({ events }) => events.map(({ event }) => event))
      .filter((event): event is DistributionEvent => OF_TOKEN.includes(event.type))
      .filter(isRecorded),
    run: async (runId) =>
      (runs.find((run) => run.runId === runId)?.events ?? [])
        .map(({ event }) => event)
        .filter((event): event is DistributionRunEvent => !OF_TOKEN.includes(event.type)),
    file,
    distributor: addresses.creator,
    markerOf: (wallet) => `marker of ${wallet}`,
  };
}

describe('the books of a token', () => {
  test('say of closed runs what their files say', async () => {
    const books = await readBooks(source());
    expect(books?.runs.map(({ runId, records }) => [runId, records.length])).toEqual(
      runs.map(({ runId, allotment }) => [runId, allotment.records.length]),
    );
    const findings = createFindings();
    for (const run of books?.runs ?? []) auditAmounts(run, findings);
    expect(findings.list).toEqual([]);
  });

  test('say whom a closed run paid', async () => {
    const told = (await readBooks(source()))?.runs.map(({ paidTo }) => paidTo);
    const recorded = runs.flatMap(({ events }) =>
      events.flatMap(({ event }) => (event.type === 'RunClosed' ? [event.data.paidTo] : [])),
    );
    expect(told).toEqual(
      recorded.map((paidTo) =>
        Object.fromEntries(Object.entries(paidTo).map(([name, paid]) => [name, BigInt(paid)])),
      ),
    );
  });

  test('say of an open run what was settled so far, which its settlement will say as well', async () => {
    const last = runs.at(-1)?.runId;
    const closed = await readBooks(source());
    const open = await readBooks(
      source(undefined, ({ type, data }) => type !== 'RunClosed' || data.runId !== last),
    );
    expect(open?.runs.at(-1)?.amounts).toBeUndefined();
    // The generated settlement names pots of its own.
    const paid = (books: typeof open) =>
      books?.runs.at(-1)?.batches.map(({ signature, payments }) => ({ signature, payments }));
    expect(paid(open)).toEqual(paid(closed));
    expect(paid(open)?.length).toBeGreaterThan(1);
  });

  test('of closed runs are what their files say, whatever the log says of their payments', async () => {
    const given = source();
    const books = await readBooks({
      ...given,
      run: async (runId) => (await given.run(runId)).filter(({ type }) => type !== 'BatchesSettled'),
    });
    expect(books?.runs.map(({ batches }) => batches)).toEqual(
      (await readBooks(given))?.runs.map(({ batches }) => batches),
    );
    expect(books?.runs.every(({ batches }) => batches.length > 1)).toBe(true);
  });

  test('of an open run leave out what was settled of a pot that it does not have', async () => {
    const given = source(undefined, ({ type }) => type !== 'RunClosed');
    const books = await readBooks({
      ...given,
      run: async (runId) =>
        (await given.run(runId)).map((event) =>
          event.type === 'BatchesSettled'
            ? {
                ...event,
                data: { ...event.data, batches: event.data.batches.map((batch) => ({ ...batch, pot: 9 })) },
              }
            : event,
        ),
    });
    expect(books?.runs.map(({ batches }) => batches)).toEqual(runs.map(() => []));
  });

  test('say what the scan of each run summed up', async () => {
    const sums = { balances: '90', withheld: '5', slack: '0', inOneAnswer: true, mint: [] };
    const given = source();
    const books = await readBooks({
      ...given,
      run: async (runId) =>
        (await given.run(runId)).map((event) =>
          event.type === 'HoldersScanned' && runId === runs[0]?.runId
            ? ({ ...event, data: { ...event.data, sums } } as unknown as DistributionRunEvent)
            : event,
        ),
    });
    expect(books?.runs.map((run) => run.scan)).toEqual([
      sums,
      ...runs.slice(1).map(({ allotment }) => allotment.header.scan),
    ]);
  });

  test('name each link that landed, what it burned, and where the till chain begins', async () => {
    const landed = runs.flatMap(({ events }) =>
      events.flatMap(({ event }) => (event.type === 'LinksLanded' ? event.data.links : [])),
    );
    const books = await readBooks(source());
    expect(books).toMatchObject({
      mint: addresses.mint,
      wallet: addresses.distributionWallet,
      distributor: addresses.creator,
      marker: `marker of ${addresses.distributionWallet}`,
    });
    expect(books?.links).toEqual(
      landed.map(({ number, till, signature, actions }) => ({
        number,
        till,
        signature,
        burned: actions.reduce(
          (sum, action) => (action.kind === 'burn' ? sum + BigInt(action.amount) : sum),
          0n,
        ),
      })),
    );
  });

  test('sum the burns of a link', () => {
    const actions = [
      { kind: 'burn' as const, amount: '7' },
      { kind: 'memo' as const, text: '9' },
      { kind: 'burn' as const, amount: '5' },
    ];
    expect(bookedLink({ number: 3, previous: null, till: 'till', actions })).toEqual({
      number: 3,
      till: 'till',
      burned: 12n,
    });
  });

  test('name the steps of each run: what withdrew the tax, what split it, and what opened the pots', async () => {
    const given = source();
    /** What is recorded for a step before it is sent. */
    const planned = runs.flatMap(({ runId }) =>
      [splitRecorded, openRecorded].map((event) => ({ ...event, data: { ...event.data, runId } })),
    );
    const books = await readBooks({ ...given, distribution: [...planned, ...given.distribution] });
    for (const [index, { events }] of runs.entries()) {
      const of = (purpose: string) =>
        events.flatMap(({ event }) =>
          event.type === 'LinksLanded' && event.data.purpose === purpose
            ? event.data.links.map(({ signature }) => signature)
            : [],
        );
      expect(books?.runs[index]?.steps).toEqual({
        withdraw: events.flatMap(({ event }) => (event.type === 'TaxCollected' ? event.data.withdraw : [])),
        split: of('split'),
        open: of('open'),
      });
      expect(books?.runs[index]?.pinned).toEqual({ model: 'proportional', minimumHolding: 0n });
    }
  });

  test('say what the last closed run has left in the till, and in the account', async () => {
    const closed = runs.flatMap(({ events }) =>
      events.flatMap(({ event }) => (event.type === 'RunClosed' ? [event.data.carried] : [])),
    );
    const last = closed.at(-1) ?? NOTHING_CARRIED;
    const books = await readBooks(source());
    expect(books?.inTill).toBe(BigInt(last.owed.sol) + BigInt(last.dust.sol));
    expect(books?.inAccount).toBe(
      BigInt(last.kept.developer) +
        BigInt(last.kept.holders) +
        BigInt(last.owed.token) +
        BigInt(last.dust.token),
    );
    expect(await readBooks(source(undefined, ({ type }) => type !== 'RunClosed'))).toMatchObject({
      inTill: 0n,
      inAccount: 0n,
    });
  });

  test('of a run that has not allotted yet hold no records', async () => {
    const given = source(undefined, ({ type }) => type !== 'RunClosed');
    const books = await readBooks({ ...given, run: async () => [] });
    expect(books?.runs.map(({ records, batches, pots }) => [[...records], batches, pots])).toEqual(
      runs.map(() => [[], [], []]),
    );
  });

  test('are refused where the log names another root than the file', async () => {
    const given = source();
    const run: BooksSource['run'] = async (runId) =>
      (await given.run(runId)).map((event) =>
        event.type === 'RunAllotted' ? { ...event, data: { ...event.data, root: 'ab'.repeat(32) } } : event,
      );
    await expect(readBooks({ ...given, run })).rejects.toThrow('is not the one of the run');
  });

  test('are refused where the log names another asset than the file', async () => {
    const given = source();
    const distribution = given.distribution.map(
      (event): DistributionEvent =>
        event.type === 'RunOpened' ? { ...event, data: { ...event.data, asset: 'token' } } : event,
    );
    await expect(readBooks({ ...given, distribution })).rejects.toThrow('is not the one of the run');
  });

  test('are read one run at a time, and there is no other run than those', async () => {
    const books = await outlineBooks(source());
    expect((await books?.read(1))?.runId).toBe(runs[1]?.runId);
    await expect(books?.read(runs.length)).rejects.toThrow(RangeError);
  });

  test('are none before the first run', async () => {
    expect(await readBooks(source(undefined, () => false))).toBeUndefined();
  });

  test.each<[string, (bytes: Uint8Array | undefined) => Uint8Array | undefined]>([
    ['missing', () => undefined],
    ['another one', (bytes) => bytes && Uint8Array.from(bytes, (byte, at) => (at === 200 ? byte ^ 1 : byte))],
    ['cut off', (bytes) => bytes?.subarray(0, -1)],
  ])('are refused where a file is %s', async (_how, tampered) => {
    await expect(readBooks(source(async (sha256) => tampered(files.get(sha256))))).rejects.toThrow(
      LedgerFileInvalid,
    );
  });
});
