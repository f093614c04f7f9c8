// What is settled of payments: only what a finalized look shows, and only the plan whose payments these are.
import { base58, decodeTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { signing, writable } from '../../../../src/chain/account-meta.ts';
import { unwrapLamports } from '../../../../src/chain/payment-instructions.ts';
import { isDecision } from '../../../../src/distribution/decision.ts';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import { nameOf } from '../../../../src/distribution/paying/meters.ts';
import {
  createPayingMemory,
  type OpenPot,
  type Paying,
  type PayingParts,
} from '../../../../src/distribution/paying/paying-memory.ts';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { judgePots, settle } from '../../../../src/distribution/paying/settle-batches.ts';
import type { Chain, ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { BatchesSettled, type PlannedBatch } from '../../../../src/streams/distribution-run.ts';
import { pot, roundRecorded, runAllotted, runId, solPot } from '../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../support/domain-examples.ts';
import { keyOf, signed } from '../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import {
  bookOfPayments,
  courseTo,
  halting,
  KEYRING,
  NOW,
  only,
  stepAt,
  TOKEN,
  tokenAccount,
  waiting,
} from '../../../support/run-examples.ts';

type PotReading = Parameters<typeof judgePots>[0][number];

const VALUE = 90_000_000n;
const HOLDERS = [0, 1, 2, 3].map((index) => keyOf(4_000 + index).address);
const AMOUNTS = [10_000_000n, 20_000_000n, 20_000_000n, 40_000_000n];

const PLANNED = { ...solPot, delegate: TOKEN.distributor.address };

const PAYMENTS = bookOfPayments((number) => ({ to: HOLDERS[number] ?? '', amount: AMOUNTS[number] ?? 0n }));
const book = only<PaymentBook>('the book', PAYMENTS);
const paymentsOf = (batch: PlannedBatch) => PAYMENTS.paymentsOf('sol', batch);
const sumOfBatch = (batch: PlannedBatch) => PAYMENTS.sumOfBatch('sol', batch);

const planOf = (from: number, to: number, ...without: number[]): PlannedBatch => ({
  pot: 0,
  value: VALUE.toString(),
  from,
  to,
  without,
});

/** A payment as the chain shows it. */
function wireOf(
  payments: readonly { readonly to: string; readonly amount: bigint }[],
  value = VALUE,
): Uint8Array {
  const { distributor, wallet } = TOKEN;
  const from = {
    address: pot,
    owner: wallet.address,
    delegate: distributor.address,
    asset: { kind: 'sol' },
  } as const;
  return signed(payFromPot(from, value, payments), [distributor], TOKEN.mint);
}

interface Shown {
  /** Of the looks at the pot, one after another; the last is repeated. */
  readonly slots?: readonly bigint[];
  /** What the meter shows; undefined where the pot is missing. */
  readonly left: bigint | undefined;
  readonly wire?: Uint8Array;
}

function scene(
  plans: readonly PlannedBatch[],
  { slots = [4_200n], left, wire }: Shown,
  { now = () => NOW.getTime(), ...change }: Partial<Paying> & { readonly now?: () => number } = {},
) {
  const asked: Parameters<Chain['accountsAt']>[2][] = [];
  const leftSlots = [...slots];
  const account: ChainAccount | undefined =
    left === undefined
      ? undefined
      : tokenAccount({ amount: left, delegate: TOKEN.distributor.address, delegated: left });
  const chain = only<Chain>('the chain', {
    async accountsAt(_addresses, _commitment, options) {
      asked.push(options);
      const slot = leftSlots.length > 1 ? leftSlots.shift() : leftSlots[0];
      return { slot: slot ?? 0n, accounts: [account] };
    },
    signaturesOf: async () => (wire === undefined ? [] : [historyEntry(signatures.first, { slot: 4_150 })]),
    transaction: async () =>
      wire === undefined ? undefined : { slot: 4_150, wire, fee: 5_000n, error: undefined, logs: [] },
  });
  const parts: PayingParts = {
    ...stepAt(courseTo(roundRecorded)).parts,
    chain,
    keyring: KEYRING,
    yieldToOthers: async () => {},
    clock: { now: () => new Date(now()) },
  };
  const paying: Paying = {
    token: TOKEN,
    run: runAllotted.data,
    state: stepAt(courseTo(roundRecorded)).view.run,
    links: stepAt(courseTo(roundRecorded)).view.state,
    book,
    memory: createPayingMemory(4_130n),
    absences: new Map(),
    searches: new Map(),
    ...change,
  };
  const progress = { value: VALUE.toString(), next: 0, plans: [...plans] };
  const pots: readonly OpenPot[] = [{ index: 0, planned: PLANNED, progress }];
  return { look: () => settle(parts, paying, pots), paying, asked, pots };
}

const RUN = { tokenId: ids.tokenId, runId };

const wordOf = (settling: Awaited<ReturnType<typeof settle>>) => {
  if (!isDecision(settling)) return 'unchanged';
  return settling.kind === 'halt' ? settling.code : settling.kind;
};

const UNSEEN = {
  code: 'chain-unavailable',
  detail: expect.stringContaining('the transaction that lowered the pot'),
};

describe('a pot that has paid', () => {
  const [one, other] = [planOf(0, 2), planOf(0, 3, 1)];

  test.each([
    ['the one recorded first', one],
    ['the one recorded later', other],
  ])('settles the plan whose payments these are, of several with as many: %s', async (_which, landed) => {
    // Both pay the first holder, and so many others.
    const payments = paymentsOf(landed);
    const left = VALUE - sumOfBatch(landed);
    const { look } = scene([one, other], { left, wire: wireOf(payments) });
    expect(await look()).toEqual({
      kind: 'record-of-run',
      events: [
        BatchesSettled({
          tokenId: ids.tokenId,
          runId,
          batches: [
            { ...landed, signature: signatures.first, slot: '4150', fee: '5000', left: left.toString() },
          ],
        }),
      ],
    });
  });

  test.each<readonly [what: string, payments: ReturnType<typeof paymentsOf>]>([
    [
      'somebody who is in no plan',
      [...paymentsOf(planOf(0, 1)), { to: HOLDERS[3] ?? '', amount: 20_000_000n }],
    ],
    ['another amount', [...paymentsOf(planOf(0, 1)), { to: HOLDERS[1] ?? '', amount: 20_000_001n }]],
    ['a part of a plan', paymentsOf(planOf(0, 1))],
    ['more than a plan', paymentsOf(planOf(0, 3))],
    ['in another order', paymentsOf(planOf(0, 2)).toReversed()],
  ])('%s: that is in no plan, and halts the token', async (_what, payments) => {
    const left = VALUE - payments.reduce((sum, { amount }) => sum + amount, 0n);
    const { look } = scene([one, other], { left, wire: wireOf(payments) });
    expect(await look()).toEqual(
      halting(
        'PAYMENT_UNKNOWN',
        `The transaction ${signatures.first} lowered the pot ${pot} from 90000000, but its payments match no plan.`,
      ),
    );
  });

  test('is not settled by a transaction that paid more than its meter fell by', async () => {
    const { look } = scene([one], { left: VALUE - 1n, wire: wireOf(paymentsOf(one)) });
    expect(await look()).toMatchObject({ kind: 'wait', waiting: { for: UNSEEN } });
  });

  test('is settled by its transaction where another one lowered its meter too', async () => {
    const { look } = scene([one], { left: 1n, wire: wireOf(paymentsOf(one)) });
    expect(await look()).toMatchObject({ events: [{ data: { batches: [{ left: '60000000' }] } }] });
  });
});

describe('what a stranger with a key of the service takes from a pot', () => {
  const { distributor, wallet } = TOKEN;
  const thief = HOLDERS[3] ?? '';
  const unwrap = (authority: string) => [
    unwrapLamports({ from: pot, to: thief, authority, lamports: 30_000_000n }),
  ];
  const byAProgram = [
    {
      program: HOLDERS[2] ?? '',
      accounts: [writable(pot), signing(distributor.address)],
      data: new Uint8Array([1]),
    },
  ];
  const slots = Array.from({ length: 21 }, (_, look) => 4_200n + BigInt(look));

  /** Repeats a look at later slots, a second apart. */
  async function repeated(wire: Uint8Array, change: Partial<Paying> = {}) {
    let now = NOW.getTime();
    const { look } = scene([planOf(0, 2)], { left: 60_000_000n, wire, slots }, { now: () => now, ...change });
    const outcomes: string[] = [];
    for (let count = 1; count <= 20; count++) {
      outcomes.push(wordOf(await look()));
      now += 1_000;
    }
    return outcomes;
  }

  test.each<readonly [what: string, wire: Uint8Array]>([
    ['a plain unwrapping', signed(unwrap(distributor.address), [distributor], TOKEN.mint)],
    ['a program of their own', signed(byAProgram, [distributor], TOKEN.mint)],
    ['a payment of ours at another value', wireOf([{ to: thief, amount: 30_000_000n }], VALUE - 1n)],
    ["the wallet's key", signed(unwrap(wallet.address), [wallet], TOKEN.mint)],
  ])('halts the token, by whatever instruction: %s; not before many looks', async (_what, wire) => {
    const outcomes = await repeated(wire);
    expect(outcomes.slice(0, -1)).toEqual(Array(19).fill('wait'));
    expect(outcomes.at(-1)).toBe('PAYMENT_UNKNOWN');
  });

  const settledBefore = signed(unwrap(distributor.address), [distributor], TOKEN.mint);
  const decoded = decodeTransaction(settledBefore);
  const signature = decoded.ok ? base58(decoded.transaction.signatures[0] ?? new Uint8Array()) : '';
  const state = stepAt(courseTo(roundRecorded)).view.run;
  const batch = { ...planOf(0, 1), signature, slot: '4150', left: '1', fee: '5000' };
  test.each<readonly [what: string, wire: Uint8Array, change: Partial<Paying>]>([
    ['what strangers sign that names the pot', signed(unwrap(thief), [keyOf(4_003)], TOKEN.mint), {}],
    ['a payment that is settled', settledBefore, { state: { ...state, settled: [batch] } }],
    [
      'what landed before there was a pot',
      settledBefore,
      { state: { ...state, collected: state.collected && { ...state.collected, slot: '4150' } } },
    ],
  ])('is not %s', async (_what, wire, change) => {
    expect(new Set(await repeated(wire, change))).toEqual(new Set(['wait']));
  });
});

describe('a look at the meters', () => {
  const plan = planOf(0, 2);

  test('is no older than the slot at which the pots were seen open, nor than the latest look', async () => {
    const { look, asked, paying, pots } = scene([plan], { left: VALUE, slots: [4_200n, 4_250n] });
    expect(await look()).toEqual({ pots });
    expect(paying.memory.slot).toBe(4_200n);
    await look();
    // One of the same slot counts.
    expect(await look()).toEqual({ pots });
    expect(asked.map((options) => options?.atLeastSlot)).toEqual([4_130n, 4_200n, 4_250n]);
    expect(paying.memory.slot).toBe(4_250n);
  });

  test('of before that slot is not taken, whatever it shows', async () => {
    for (const left of [VALUE, 0n, undefined]) {
      const { look, paying } = scene([plan], { left, slots: [4_129n] });
      expect(await look()).toEqual(
        waiting('chain-unavailable', `The chain node shows an outdated meter of the pot ${pot}.`, 400),
      );
      expect([paying.memory.slot, paying.absences.size]).toEqual([4_130n, 0]);
    }
  });

  test('that shows a pot again forgets that it was missing', async () => {
    const { look, paying } = scene([plan], { left: VALUE });
    paying.absences.set(nameOf(pot), { reads: 3, slot: 4_150n, since: NOW.getTime() });
    await look();
    expect(paying.absences.size).toBe(0);
  });
});

describe('of several pots', () => {
  const plan = planOf(0, 2);
  const potAt = (index: number): OpenPot => ({
    index,
    planned: { ...PLANNED, address: HOLDERS[index] ?? '' },
    progress: { value: VALUE.toString(), next: 0, plans: [plan] },
  });
  const look = (index: number, given: Partial<PotReading>): PotReading => ({
    pot: potAt(index),
    meter: VALUE,
    isGone: false,
    found: undefined,
    ...given,
  });
  const found = {
    signature: signatures.first,
    slot: '4150',
    fee: '5000',
    paid: 30_000_000n,
    isForeign: false,
  };
  const paid = look(0, { meter: 60_000_000n, found: { ...found, batch: plan } });
  const unknown = look(1, { meter: 60_000_000n, found: { ...found, batch: undefined } });
  const unseen = look(2, { meter: 60_000_000n });
  const missing = look(1, { meter: 'missing' });
  const gone = look(1, { meter: 'missing', isGone: true });
  const as = look(3, {});

  test.each<readonly [what: string, looks: readonly PotReading[], outcome: string]>([
    ['a payment in no plan halts, whatever else was paid', [paid, unknown, unseen, gone], 'PAYMENT_UNKNOWN'],
    ['what was paid is settled, whatever is missing', [paid, unseen, gone, as], 'record-of-run'],
    ['one that is gone halts, whatever is unchanged', [gone, as], 'POT_MISSING'],
    ['the unchanged are signed on, whatever is waited for', [missing, unseen, as], 'unchanged'],
    ['all are waited for where none is unchanged', [missing, unseen], 'wait'],
  ])('%s', (_what, looks, outcome) => {
    expect(wordOf(judgePots(looks, 4_200n, RUN))).toBe(outcome);
    expect(wordOf(judgePots([...looks].reverse(), 4_200n, RUN))).toBe(outcome);
  });

  test('those alone are signed on that show the planned value', () => {
    expect(judgePots([missing, as, unseen], 4_200n, RUN)).toEqual({ pots: [as.pot] });
  });
});
