// What a process remembers of a token: nothing of one run may be used for the next.
import { describe, expect, test } from 'vitest';
import { newHarvest } from '../../../src/distribution/collecting/harvest-tax.ts';
import { createPayingMemory } from '../../../src/distribution/paying/paying-memory.ts';
import type { PaymentBook } from '../../../src/distribution/paying/payment-book.ts';
import {
  createTokenMemory,
  dropFinishedWork,
  resetForRun,
  type TokenMemory,
} from '../../../src/distribution/token-memory.ts';
import { files, runAllotted, runId, taxCollected } from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { OWNERS, only, SCAN, SUMS, TOKEN } from '../../support/run-examples.ts';

/** Everything that can be known of an open run. */
const known = (): TokenMemory => ({
  ...createTokenMemory(),
  runId,
  opening: { createdAt: '2026-05-04T10:00:00.000Z' },
  absences: new Map([['the till', { reads: 1, slot: 1n, since: 1 }]]),
  searches: new Map([['a search', only('the search')]]),
  token: TOKEN,
  scan: SCAN,
  attempts: { ...createTokenMemory().attempts, sums: SUMS },
  owners: OWNERS,
  harvest: newHarvest(),
  book: { ledger: files.ledger, book: only<PaymentBook>('the book') },
  paying: createPayingMemory(1n),
  lastSaleCheck: 3,
});

describe('what is known of a run', () => {
  test('is kept while it is open', () => {
    const memory = known();
    resetForRun(memory, runId);
    const { absences, searches, token, scan, attempts, owners, harvest, book, paying, lastSaleCheck } =
      memory;
    expect([absences.size, searches.size, lastSaleCheck]).toEqual([1, 1, 3]);
    for (const kept of [token, scan, owners, harvest, book, paying]) expect(kept === undefined).toBe(false);
    expect(attempts.sums).toBe(SUMS);
  });

  test.each([
    ids.transactionId,
    undefined,
  ])('is forgotten, and all of it, when %s is open instead', (another) => {
    const memory = known();
    resetForRun(memory, another);
    const fresh = createTokenMemory();
    expect(memory).toEqual({ ...fresh, runId: another, opening: memory.opening });
    expect(memory.opening.createdAt).toBe('2026-05-04T10:00:00.000Z');
  });
});

describe('what is recorded', () => {
  const rememberedAfter = (run: Parameters<typeof dropFinishedWork>[1]) => {
    const memory = known();
    dropFinishedWork(memory, run);
    const { harvest, scan } = memory;
    return {
      harvest: harvest !== undefined,
      scan: scan !== undefined,
      owners: memory.owners !== undefined,
    };
  };
  const collected = taxCollected.data;
  const allotted = runAllotted.data;

  test('needs no more to be remembered: the tax, the scan and the owners, each when its step is done', () => {
    expect(rememberedAfter({})).toEqual({ harvest: true, scan: true, owners: true });
    expect(rememberedAfter({ collected })).toEqual({ harvest: false, scan: false, owners: true });
    expect(rememberedAfter({ collected, allotted })).toEqual({ harvest: false, scan: false, owners: false });
    expect(rememberedAfter({ allotted })).toMatchObject({ scan: false, owners: false });
  });

  test('leaves a scan alone that is still to find the owners', () => {
    const memory = { ...known(), owners: undefined };
    dropFinishedWork(memory, { collected });
    expect(memory.scan).toBe(SCAN);
    dropFinishedWork(memory, {});
    expect(memory.scan).toBe(SCAN);
  });
});
