// Collecting the withheld tax: what is new in the wallet's account, and what was there before.

import { describe, expect, test } from 'vitest';
import { newHarvest } from '../../../../../src/distribution/collecting/harvest-tax.ts';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import { collectTax, decideCollect } from '../../../../../src/distribution/run/steps/collect.ts';
import type { Chain } from '../../../../../src/kernel/ports/chain.ts';
import { type CarriedOver, NOTHING_CARRIED, RunOpened } from '../../../../../src/streams/distribution.ts';
import { TaxCollected } from '../../../../../src/streams/distribution-run.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import { holdersScanned, runId, runOpened } from '../../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../../support/domain-examples.ts';
import {
  counting,
  courseTo,
  halting,
  NOW,
  only,
  SCAN,
  stepAt,
  TOKEN,
  tokenAccount,
  viewOf,
} from '../../../../support/run-examples.ts';

const after = (carried: Partial<CarriedOver>) =>
  viewOf(
    courseTo(holdersScanned, [RunOpened({ ...runOpened.data, carried: { ...NOTHING_CARRIED, ...carried } })]),
  );
/** 3 + 5 + 11 + 17 base units are no new tax; the lamports are none of the account. */
const CARRIED = after({
  kept: { developer: '3', holders: '5' },
  owed: { sol: '1000000', token: '11' },
  dust: { sol: '1000000', token: '17' },
});
const facts = (balance: bigint) => ({
  balance,
  slot: 4_110n,
  withdraw: [signatures.second],
  harvested: 5,
  fees: 10_000n,
  now: NOW,
});

describe('what was collected', () => {
  const under = {
    wire: new Uint8Array(),
    signature: signatures.second,
    lastValidBlockHeight: 600n,
    fee: 5_000n,
  };

  test('is recorded with the balance that shows it', () => {
    expect(decideCollect(after({}), facts(1_000_000n))).toEqual({
      kind: 'record-of-run',
      events: [
        TaxCollected({
          tokenId: ids.tokenId,
          runId,
          collected: '1000000',
          balance: '1000000',
          slot: '4110',
          harvested: 5,
          withdraw: [signatures.second],
          fees: '10000',
          at: NOW.toISOString(),
        }),
      ],
    });
  });

  test('may be nothing', () => {
    expect(decideCollect(CARRIED, facts(36n))).toMatchObject({ events: [{ data: { collected: '0' } }] });
  });

  test('is never less than nothing: a base unit that is missing halts the token', () => {
    expect(decideCollect(CARRIED, facts(35n))).toEqual(
      halting(
        'BOOKS_DISAGREE',
        `The wallet's account ${TOKEN.tokens} holds 35 base units at slot 4110, but 36 are kept, owed or undivided.`,
      ),
    );
  });

  test('is what the harvest brought, with its fees, and each transaction that was given up is counted', async () => {
    const lost = { from: 0, to: 60, signed: { ...under, signature: signatures.first }, signatures: 3 };
    const harvest = {
      ...newHarvest(),
      next: 70,
      wave: [lost, lost],
      harvested: 5,
      givenUp: 1,
      withdraw: under,
    };
    const { counted, counts } = counting();
    const chain = only<Chain>('the chain', {
      statuses: async (of) =>
        of.map((signature) =>
          signature === under.signature
            ? { slot: 4_105, error: undefined, commitment: 'finalized' }
            : undefined,
        ),
      tip: async () => ({ blockHeight: 601n, slot: 4_110n }),
      // What a stranger gave since is collected by the next run.
      accountsAt: async () => ({ slot: 4_110n, accounts: [tokenAccount({ amount: 1_000_007n })] }),
      transaction: async () => ({
        ...{ slot: 4_105, wire: new Uint8Array(), fee: 5_000n, error: undefined, logs: [] },
        tokensAfter: new Map([[TOKEN.tokens, 1_000_000n]]),
      }),
    });
    const at = stepAt(courseTo(holdersScanned), {
      parts: { chain, counts },
      memory: { scan: SCAN, harvest },
    });
    expect(await collectTax(at)).toEqual({
      balance: 1_000_000n,
      slot: 4_105n,
      withdraw: [signatures.second],
      harvested: 5,
      fees: 5_000n,
      now: NOW,
    });
    expect(counted).toEqual(['harvest refused', 'harvest refused']);
  });

  test('is waited for where the harvest is under way', async () => {
    const chain = only<Chain>('the chain', {
      statuses: async () => [{ slot: 4_105, error: undefined, commitment: 'confirmed' }],
      tip: async () => ({ blockHeight: 600n, slot: 4_110n }),
    });
    const memory = { scan: SCAN, harvest: { ...newHarvest(), withdraw: under } };
    expect(await collectTax(stepAt(courseTo(holdersScanned), { parts: { chain }, memory }))).toEqual({
      kind: 'wait',
      waiting: {
        for: waitFor('finality', 'The withdrawal of the harvested tax is not final yet.'),
        pause: 400,
      },
    });
  });

  test('is looked for where a scan found it: without one, holders are read again', async () => {
    expect(await collectTax(stepAt(courseTo(holdersScanned)))).toEqual(AGAIN);
  });
});
