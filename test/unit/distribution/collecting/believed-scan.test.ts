// A scan is believed when it adds up to the mint, the second node does not contradict, and it is no older than what the log knows.

import { describe, expect, test } from 'vitest';
import {
  NO_ATTEMPTS,
  type ScanAttempts,
  type ScanMemory,
  scanHolders,
} from '../../../../src/distribution/collecting/confirm-scan.ts';
import { type HolderScan, newScan } from '../../../../src/distribution/collecting/holder-scan.ts';
import { type MintReading, NO_SCANS } from '../../../../src/distribution/collecting/judge-scan.ts';
import { AGAIN } from '../../../../src/distribution/decision.ts';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainUnavailable,
} from '../../../../src/kernel/ports/chain.ts';
import type { ScanSums } from '../../../../src/streams/scan-sums.ts';
import { TOKEN, taxedMint } from '../../../support/run-examples.ts';

type ScanParts = Parameters<typeof scanHolders>[0];

const MINT = TOKEN.mint;
const NOW = 1_000_000;
/** Accounts hold 90, with 5 of tax; 5 more wait in the mint. */
const FITTING = { supply: 100n, withheld: 5n };

interface Scene {
  readonly scan?: Partial<HolderScan> | undefined;
  readonly looks?: Partial<ScanAttempts>;
  readonly balances?: bigint;
  readonly before?: Partial<MintReading>;
  readonly after?: Partial<MintReading>;
  /** What the second node shows, or how it fails; without it there is none. */
  readonly witness?: Partial<MintReading> | Error;
  /** How the chain node fails. */
  readonly failure?: Error;
  /** The pages that it lists, in the place of a failure. */
  readonly page?: Awaited<ReturnType<Chain['tokenAccounts']>>;
  /** The slot of the last till. */
  readonly since?: bigint;
  /** Calls to the chain node, in order. */
  readonly reads?: unknown[];
}

async function look({
  balances = 90n,
  before,
  after,
  witness,
  failure,
  page,
  since,
  reads,
  ...given
}: Scene) {
  const scanned: string[] = [];
  const said: unknown[] = [];
  const asked: unknown[] = [];
  const fails = () => Promise.reject(failure ?? new Error('nothing is read'));
  const second: ScanParts['witness'] = {
    async accountsAt(_addresses, _commitment, options) {
      asked.push(options);
      if (witness instanceof Error) throw witness;
      const { slot = 8n, ...figures } = witness ?? {};
      return { slot, accounts: [taxedMint({ ...FITTING, ...figures })] };
    },
  };
  const parts: ScanParts = {
    chain: {
      accountsAt(_addresses, _commitment, options) {
        reads?.push(options);
        return fails();
      },
      tokenAccounts: async () => page ?? fails(),
    },
    witness: witness === undefined ? undefined : second,
    onWitnessVerdict: (word) => said.push(word),
    counts: { scanned: (outcome) => scanned.push(outcome) },
    clock: { now: () => new Date(NOW) },
  };
  const scan = {
    ...newScan(MINT),
    slots: [6n, 7n],
    newest: 7n,
    pages: 1,
    collector: { balances: () => balances, withheld: () => 5n },
    mintBefore: { slot: 4n, ...FITTING, ...before },
    mintAfter: { slot: 8n, ...FITTING, ...after },
    ...given.scan,
  } as HolderScan;
  const memory: ScanMemory = {
    scan: 'scan' in given && given.scan === undefined ? undefined : scan,
    attempts: { ...NO_ATTEMPTS, ...given.looks },
  };
  const result = await scanHolders(parts, MINT, memory, since);
  return { result, memory, scan, scanned, said, asked };
}

const sums: ScanSums = {
  balances: '90',
  withheld: '5',
  mint: [
    { slot: '4', supply: '100', withheld: '5' },
    { slot: '8', supply: '100', withheld: '5' },
  ],
  slack: '0',
  inOneAnswer: false,
};
const waiting = (code: string, pause: number) => ({ kind: 'wait', waiting: { for: { code }, pause } });
const ahead = { slot: 5n, ...FITTING };

describe('a scan that adds up', () => {
  test('is believed, and is the same when it is asked for again', async () => {
    const { result, memory, scan, scanned } = await look({});
    expect(result).toEqual({ scan, sums });
    expect([memory.scan, memory.attempts, scanned]).toEqual([scan, { ...NO_ATTEMPTS, sums }, ['complete']]);
    const again = await look({ looks: { sums }, balances: 1n });
    expect(again.result).toEqual({ scan: again.scan, sums });
    expect(again.scanned).toEqual([]);
    expect((await look({ scan: { pages: 2 } })).scanned).toEqual(['complete']);
  });

  test('but for what was burned meanwhile is made again, at once, and taken the third time', async () => {
    const burned = { before: { supply: 101n } };
    const first = await look(burned);
    expect(first.result).toEqual(AGAIN);
    expect([first.memory.scan, first.memory.attempts.earlier.loose]).toEqual([undefined, 1]);
    const third = await look({ ...burned, looks: { earlier: { ...NO_SCANS, loose: 2 } } });
    expect(third.result).toMatchObject({
      sums: { slack: '1', mint: [{ supply: '101' }, { supply: '100' }] },
    });
  });
});

describe('a scan that does not add up', () => {
  const disagreeing = waiting('unconfirmed', 5_000);

  test.each([
    ['too little', 89n, { pages: 1 }, ['disagrees'], disagreeing],
    ['too little in several pages', 89n, { pages: 2 }, ['disagrees'], disagreeing],
    ['too much in one page', 91n, { pages: 1 }, ['disagrees'], disagreeing],
    // Whoever moves a balance while pages are read is counted twice.
    ['too much in several pages', 91n, { pages: 2 }, ['inconsistent'], AGAIN],
  ] as const)('is made again, asked for the other way: %s', async (_what, balances, scan, scanned, result) => {
    const found = await look({ balances, scan });
    expect(found.result).toMatchObject(result);
    expect(found.scanned).toEqual(scanned);
    expect([found.memory.scan, found.memory.attempts.inOneAnswer]).toEqual([undefined, true]);
  });
});

describe('the second node', () => {
  test('is asked for the scan’s last slot, and its word is recorded', async () => {
    const { result, said, asked } = await look({ witness: {} });
    expect(result).toMatchObject({ sums: { ...sums, witness: 'agrees' } });
    expect(said).toEqual([{ state: 'agrees', detail: undefined }]);
    expect(asked).toEqual([{ atLeastSlot: 7n }]);
  });

  test('that shows another mint keeps the scan from being believed', async () => {
    const { result, said, memory, scanned } = await look({ witness: { supply: 101n } });
    expect(result).toMatchObject(waiting('unconfirmed', 5_000));
    expect(said).toEqual([{ state: 'disagrees', detail: expect.stringContaining('lack 1 base units') }]);
    expect([memory.scan, scanned]).toEqual([undefined, []]);
  });

  test('bounds the scan from above by what it showed before', async () => {
    const less = { ...ahead, supply: 99n };
    const { result } = await look({ witness: {}, looks: { witnessBefore: less } });
    expect(result).toMatchObject(waiting('unconfirmed', 5_000));
    // A reading of a later slot than the scan bounds nothing; one of its last slot does.
    const later = await look({ witness: {}, looks: { witnessBefore: { ...less, slot: 8n } } });
    expect(later.result).toMatchObject({ sums });
    const last = await look({ witness: {}, looks: { witnessBefore: { ...less, slot: 7n } } });
    expect(last.result).toMatchObject({ kind: 'wait' });
  });

  test('that has seen our own withdrawal is asked again', async () => {
    const witnessBefore = { ...ahead, withheld: 6n };
    const { result, said, memory } = await look({ witness: {}, looks: { witnessBefore } });
    expect(result).toMatchObject(waiting('finality', 5_000));
    expect([said, memory.scan]).toEqual([[], undefined]);
  });

  test('that is silent keeps nobody from being paid: the third time the scan is believed', async () => {
    for (const witness of [new ChainUnavailable('away'), new ChainAnswerInvalid('odd')]) {
      const first = await look({ witness });
      expect(first.result).toMatchObject({
        waiting: { for: { detail: `The second node does not respond (${witness.message}).` } },
      });
      expect([first.memory.scan, first.memory.attempts.witnessSilent]).toEqual([first.scan, 1]);
      const third = await look({ witness, looks: { witnessSilent: 2 } });
      expect(third.result).toMatchObject({ sums: { witness: 'silent' } });
      expect(third.said).toEqual([]);
    }
  });

  test('is no excuse for a fault of our own', async () => {
    await expect(look({ witness: new Error('a fault') })).rejects.toThrow('a fault');
    await expect(look({ witness: new Error('a fault'), scan: undefined })).rejects.toThrow('a fault');
  });
});

describe('a chain node that fails', () => {
  const behind = new ChainBehind('an old cache');
  const fresh = { mintAfter: undefined, newest: 0n } as const;

  test('to come to where the second node was is waited for, and then goes on without that bound', async () => {
    const looks = { witnessBefore: ahead, behindWitness: 3 };
    const fourth = await look({ scan: fresh, failure: behind, looks });
    expect(fourth.result).toMatchObject({
      kind: 'wait',
      waiting: { for: { detail: 'The chain node is behind the second node.' }, pause: 400 },
    });
    expect(fourth.memory.attempts).toMatchObject({ behindWitness: 4, witnessBefore: ahead });
    const fifth = await look({ scan: fresh, failure: behind, looks: { ...looks, behindWitness: 4 } });
    expect(fifth.memory.attempts).toMatchObject({ behindWitness: 5, witnessBefore: undefined });
  });

  test.each([
    ['without a second node', fresh, {}],
    ['after the first page', { ...fresh, newest: 5n }, { witnessBefore: ahead }],
  ] as const)('has failed, asked for pages, %s', async (_what, scan, looks) => {
    await expect(look({ scan, looks, failure: behind })).rejects.toBe(behind);
  });

  test('to give all in one answer is asked for pages', async () => {
    const inOneAnswer = { ...fresh, inOneAnswer: true };
    for (const looks of [{}, { witnessBefore: ahead }]) {
      const { result, memory } = await look({
        scan: inOneAnswer,
        failure: behind,
        looks: { ...looks, inOneAnswer: true },
      });
      expect(result).toMatchObject(waiting('unconfirmed', 5_000));
      expect([memory.scan, memory.attempts.inOneAnswer]).toEqual([undefined, false]);
    }
  });

  test('for a reason of our own is no failure of it', async () => {
    const fault = new Error('a fault');
    await expect(look({ scan: { isRead: true, mintAfter: undefined }, failure: fault })).rejects.toBe(fault);
    await expect(look({ scan: { ...fresh, inOneAnswer: true }, failure: fault })).rejects.toBe(fault);
  });
});

test('a scan that changed while it was read is not counted with: the next one is asked for in one answer', async () => {
  const last = { slots: [1n, 8n], after: 'a', newest: 8n, changedSince: 1n, passes: 5 } as const;
  const { result, memory, scanned } = await look({
    scan: { ...newScan(MINT), ...last },
    page: { slot: 9n, accounts: [], next: undefined },
  });
  expect(result).toEqual(AGAIN);
  expect([memory.scan, memory.attempts, scanned]).toEqual([
    undefined,
    { ...NO_ATTEMPTS, inOneAnswer: true },
    ['inconsistent'],
  ]);
});

test.each([
  ['without a second node', 77n, undefined, { atLeastSlot: 77n }],
  ['behind what a second node has shown', 77n, 90n, { atLeastSlot: 90n }],
  ['where the second node is older', 77n, 60n, { atLeastSlot: 77n }],
  ['and at any slot before the first till', 0n, undefined, {}],
])('no list counts that is older than what the log knows of the token: %s', async (_where, since, slot, asked) => {
  const witnessBefore = slot === undefined ? undefined : { ...ahead, slot };
  const reads: unknown[] = [];
  const looked = look({
    scan: { ...newScan(MINT), mintBefore: undefined, mintAfter: undefined, newest: 0n, pages: 0 },
    looks: { witnessBefore },
    since,
    failure: new ChainBehind('an old cache'),
    reads,
  });
  await looked.catch((error: unknown) => expect(error).toBeInstanceOf(ChainBehind));
  expect(reads).toEqual([asked]);
});
