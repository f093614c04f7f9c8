// Ledgers are kept open while they are asked for again and again.
import { expect, test } from 'vitest';
import { createLedgers } from '../../../../src/distribution/ledger/open-ledgers.ts';
import { allotPlainly, blobsOf, makeSettlement } from '../../../support/ledger-files.ts';

const allotment = allotPlainly([100n, 200n, 300n], { asset: 'sol', model: 'proportional', divided: 1_000n });
const settlement = makeSettlement(allotment, {
  stretch: () => 2,
  lands: () => true,
  refuses: () => undefined,
});
const blobs = blobsOf(allotment, settlement);
const open = { ledger: allotment.sha256, settlement: undefined };
const closed = { ledger: allotment.sha256, settlement: settlement.sha256 };

function counted() {
  const reads: string[] = [];
  const state = { isMissing: false };
  const ledgers = createLedgers({
    async read(sha256, ...range) {
      reads.push(sha256);
      return state.isMissing ? undefined : blobs.read(sha256, ...range);
    },
  });
  return { ledgers, reads, state };
}

test('a ledger is read once, also where two ask at the same time', async () => {
  const { ledgers, reads } = counted();
  const [one, other] = await Promise.all([ledgers.open(open), ledgers.open(open)]);
  const taken = reads.length;
  expect(one).toBe(other);
  expect(await ledgers.open(open)).toBe(one);
  expect(reads).toHaveLength(taken);
});

test('the top holders of a run are found once, and again after a failure', async () => {
  const { ledgers, reads, state } = counted();
  state.isMissing = true;
  await expect(ledgers.topHolders(closed)).rejects.toThrow();
  state.isMissing = false;
  const [one, other] = await Promise.all([ledgers.topHolders(closed), ledgers.topHolders(closed)]);
  const taken = reads.length;
  expect([one.balance.map(({ balance }) => balance), one === other]).toEqual([[300n, 200n, 100n], true]);
  expect(await ledgers.topHolders(closed)).toBe(one);
  expect(reads).toHaveLength(taken);
});
