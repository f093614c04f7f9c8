// Writing the ledger of a run: who stands in it, and what is recorded of it.

import { LOADER_V2, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createPayeeVerdicts } from '../../../../../src/distribution/allotting/payee-verdicts.ts';
import { AGAIN, isDecision } from '../../../../../src/distribution/decision.ts';
import type { DistributionPolicy } from '../../../../../src/distribution/engine-parts.ts';
import { openAllotment } from '../../../../../src/distribution/ledger/allotment-file.ts';
import { rangeOf } from '../../../../../src/distribution/ledger/run-ledger.ts';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideAllot, writeLedger } from '../../../../../src/distribution/run/steps/allot.ts';
import { runId, taxCollected, taxSplit } from '../../../../support/distribution-examples.ts';
import { addresses, ids } from '../../../../support/domain-examples.ts';
import {
  courseTo,
  factsOf,
  KEYRING,
  NOW,
  nodeShowing,
  OWNERS,
  POLICY,
  recordedBy,
  SUMS,
  stepAt,
  storeInMemory,
  TOKEN,
  viewOf,
} from '../../../../support/run-examples.ts';
import { scannedOf as scannedHolders } from '../../../../support/scanned.ts';

const SPLIT = courseTo(taxSplit);
const holder = KEYRING.mint(ids.transactionId).address;
const other = KEYRING.mint(ids.tokenId).address;

/** Two hundred tokens for each. */
const scannedOf = (...owners: readonly string[]) =>
  scannedHolders(owners.map((owner) => ({ owner, balance: 200n })));
const LEDGER = '1'.repeat(64);

async function allotted(...owners: readonly string[]) {
  return allottedBy(POLICY, owners);
}

async function allottedBy(policy: DistributionPolicy, owners: readonly string[]) {
  const accounts = Object.fromEntries(
    [...owners, addresses.creator, TOKEN.distributor.address].map((owner) => [
      owner,
      { owner: SYSTEM_PROGRAM, lamports: 1_000_000n, data: new Uint8Array() },
    ]),
  );
  const { chain } = nodeShowing(accounts, { rentExemption: async () => 890_880n });
  const { blobs } = storeInMemory();
  const at = stepAt(SPLIT, {
    parts: { chain, blobs, policy },
    memory: { owners: { ...OWNERS, scanned: scannedOf(...owners), verdicts: createPayeeVerdicts() } },
  });
  const facts = await writeLedger(at);
  const allotment = await openAllotment(rangeOf(blobs, LEDGER));
  const records = await allotment.records(0, allotment.header.records);
  return { facts, records: records.map(({ record }) => record), header: allotment.header };
}

describe('the ledger', () => {
  test('is recorded with the pots that pay it, and announced for a time', async () => {
    const { facts, header } = await allotted(holder);
    const decision = decideAllot(viewOf(SPLIT), factsOf(facts));
    const [recorded] = recordedBy(decision);
    if (recorded?.type !== 'RunAllotted') throw new Error('the ledger is recorded');
    expect(recorded.data).toMatchObject({
      tokenId: ids.tokenId,
      runId,
      mint: TOKEN.mint,
      asset: 'sol',
      slots: ['4098', '4101'],
      ledger: LEDGER,
      divided: '88880000',
      shares: '88880000',
      dust: '0',
      // The developer and the holder; the costs are the distributor's.
      payments: header.payments,
      payAfter: new Date(NOW.getTime() + POLICY.announce).toISOString(),
    });
    expect(header).toMatchObject({ runId, scan: SUMS, previousRoot: null });
    const paid = recorded.data.pots.reduce((sum, { allowance }) => sum + BigInt(allowance), 0n);
    expect(paid).toBe(BigInt(header.payments.sol.sum));
    expect(recorded.data.pots.every(({ delegate }) => delegate === TOKEN.distributor.address)).toBe(true);
    const nothing = { owners: undefined, scan: undefined };
    expect(nextStep(viewOf([...SPLIT, recorded]), nothing, RECIPIENTS)).toBe('open');
  });

  test('is paid from as many pots as transactions are filled, at most the policy allows', async () => {
    const potsBy = async (change: Partial<DistributionPolicy>) => {
      const { facts } = await allottedBy({ ...POLICY, ...change }, [holder]);
      return factsOf(facts).pots.length;
    };
    const recipients = { ...RECIPIENTS, sol: 1 };
    expect([await potsBy({}), await potsBy({ recipients })]).toEqual([1, 2]);
    expect(await potsBy({ recipients, maxPots: 1 })).toBe(1);
  });

  test('is not written without holders, or before the tax is split', async () => {
    for (const [events, owners] of [
      [SPLIT, undefined],
      [courseTo(taxCollected), OWNERS],
    ] as const) {
      expect(await writeLedger(stepAt(events, { memory: { owners } }))).toEqual(AGAIN);
    }
  });
});

describe('an owner whom the chain node shows as a program', () => {
  /** Steps of a run, a slot and half a second apart; `wrong` of its first answers show the holder's account as a loader's. */
  async function steps(wrong: number) {
    const { blobs } = storeInMemory();
    let [answers, seconds] = [0, 0];
    const { chain } = nodeShowing(
      {},
      {
        rentExemption: async () => 890_880n,
        async accountsAt(asked: readonly string[]) {
          answers += 1;
          const isWrong = answers <= wrong;
          const ownerOf = (address: string) => (isWrong && address === holder ? LOADER_V2 : SYSTEM_PROGRAM);
          return {
            slot: BigInt(4_200 + answers),
            accounts: asked.map((address) => ({
              owner: ownerOf(address),
              lamports: 1n,
              data: new Uint8Array(),
            })),
          };
        },
      },
    );
    const clock = { now: () => new Date(NOW.getTime() + 500 * seconds) };
    const at = stepAt(SPLIT, {
      parts: { chain, blobs, policy: POLICY, clock },
      memory: { owners: { ...OWNERS, scanned: scannedOf(holder, other), verdicts: createPayeeVerdicts() } },
    });
    for (;;) {
      const facts = await writeLedger(at);
      seconds += 1;
      if (isDecision(facts)) {
        expect(facts).toMatchObject({ kind: 'wait', waiting: { for: { code: 'scheduled' } } });
        continue;
      }
      const allotment = await openAllotment(rangeOf(blobs, LEDGER));
      const records = await allotment.records(0, allotment.header.records);
      const found = records
        .map(({ record }) => record)
        .find(({ owner, kind }) => owner === holder && kind === 'holder');
      return { found, waited: seconds - 1 };
    }
  }

  test('has its share, and is paid, where one answer was wrong', async () => {
    for (const wrong of [1, 7]) {
      const { found, waited } = await steps(wrong);
      expect(found).toMatchObject({ share: 44_440_000n, planned: 44_440_000n, reason: 'planned' });
      expect(waited).toBeGreaterThan(0);
    }
  });

  test('has none when every answer says so', async () => {
    const { found, waited } = await steps(Number.POSITIVE_INFINITY);
    expect(found).toMatchObject({ share: 0n, planned: 0n, reason: 'program' });
    expect(waited).toBeGreaterThanOrEqual(20);
  });
});
