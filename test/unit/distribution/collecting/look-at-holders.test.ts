// No list of holders counts that is older than what the log knows of the token.

import { addressOf } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import {
  type LookMemory,
  type LookParts,
  lookAtHolders,
  NOT_LOOKED,
} from '../../../../src/distribution/collecting/look-at-holders.ts';
import { beginScan } from '../../../../src/distribution/collecting/scan-holders.ts';
import { AGAIN } from '../../../../src/distribution/decision.ts';
import { ChainBehind } from '../../../../src/kernel/ports/chain.ts';

const TILL_SEEN_AT = 77n;
const MINT = addressOf(new Uint8Array(32).fill(9));

test.each([
  ['without a second node', undefined, TILL_SEEN_AT],
  ['behind what a second node has shown', 90n, 90n],
  ['where the second node is older', 60n, TILL_SEEN_AT],
  ['and at any slot before the first till', undefined, undefined],
])('the first reading of a scan is asked for at the slot of the last till, or later: %s', async (_case, witnessed, least) => {
  const since = least === undefined ? 0n : TILL_SEEN_AT;
  const asked: unknown[] = [];
  const parts: LookParts = {
    chain: {
      async accountsAt(_addresses, _commitment, options) {
        asked.push(options);
        throw new ChainBehind('an old cache');
      },
      tokenAccounts: () => Promise.reject(new Error('the mint is read first')),
    },
    witness: undefined,
    witnessSaid() {},
    counts: { scanned() {} },
    clock: { now: () => new Date(0) },
  };
  const witnessBefore = witnessed === undefined ? undefined : { slot: witnessed, supply: 1n, withheld: 0n };
  const memory: LookMemory = { scan: undefined, looks: NOT_LOOKED };
  await lookAtHolders(parts, MINT, memory, since);
  memory.looks = { ...memory.looks, witnessBefore };
  await lookAtHolders(parts, MINT, memory, since).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ChainBehind);
  });
  expect(asked).toEqual([least === undefined ? {} : { atLeastSlot: least }]);
});

test('a scan that changed while it was read is not counted with: the next one is asked for in one answer', async () => {
  const scanned: string[] = [];
  const parts: LookParts = {
    chain: {
      accountsAt: () => Promise.reject(new Error('the mint is not read behind a scan that is given up')),
      tokenAccounts: async () => ({ slot: 9n, accounts: [], next: undefined }),
    },
    witness: undefined,
    witnessSaid() {},
    counts: { scanned: (outcome) => scanned.push(outcome) },
    clock: { now: () => new Date(0) },
  };
  const last = { slots: [1n, 8n], after: 'a', newest: 8n, changedSince: 1n, passes: 5 } as const;
  const scan = { ...beginScan(MINT, NOT_LOOKED), ...last };
  const memory: LookMemory = { scan, looks: NOT_LOOKED };
  expect(await lookAtHolders(parts, MINT, memory)).toEqual(AGAIN);
  expect([memory.scan, memory.looks, scanned]).toEqual([
    undefined,
    { ...NOT_LOOKED, inOneAnswer: true },
    ['inconsistent'],
  ]);
});
