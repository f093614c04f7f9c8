/** Payments per second of a run on the local chain, compared with only sending transactions of the same kind. */
import { setTimeout as pause } from 'node:timers/promises';
import { openAllotment } from '../../src/distribution/ledger/allotment-file.ts';
import { payFromPot } from '../../src/distribution/once/meter.ts';
import { readPaymentBook } from '../../src/distribution/paying/payment-book.ts';
import { RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import { createSender } from '../../src/distribution/sending/sender.ts';
import type { SettledBatch } from '../../src/streams/distribution-run.ts';
import {
  type DistributedExample,
  type DistributingEngine,
  exampleToken,
  KEYRING,
  type RunNow,
  withDistributingEngine,
} from '../measuring/distributing-engine.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';

const HOLDERS = 10_000;
const POTS = [1, 10, 50];
/**
 * Pots of the comparison. With a pot for every two transactions there are two rounds, so the engine waits least for
 * finality.
 */
const MAX_POTS = 200;
/**
 * Number of measurements of the engine and of bare sending. They alternate, so that the load of the machine affects
 * both.
 */
const COMPARED = 2;
/** Maximum number of measured rounds, because each waits for finality. */
const ROUNDS = 12;
/** Length of a slot. Finality takes 32 slots. */
const SLOT_MILLISECONDS = 25;
const LOOK_PAUSE = 20;
/** A blockhash is valid for 150 slots, which are short here. */
const SIGNED_PER_BLOCKHASH = 10;

/** Cost of sending. */
interface Sent {
  readonly payouts: number;
  readonly milliseconds: number;
  /** Processor time of this process. */
  readonly processorMilliseconds: number;
}

interface Paid extends Sent {
  readonly batches: readonly SettledBatch[];
  readonly rounds: number;
}

export const payouts: Line = () => {
  const inSol = { holders: HOLDERS, taxed: 60, asset: 'sol' } as const;
  const runs = POTS.map((pots, number) => ({ pots, example: exampleToken(number + 1, inSol) }));
  const compared = Array.from({ length: COMPARED }, (_, number) => ({
    bare: exampleToken(2 * number + 11, inSol),
    byEngine: exampleToken(2 * number + 12, inSol),
  }));
  const ownToken = exampleToken(10, { ...inSol, holders: 1_000, asset: 'token' });
  const examples = [
    ...runs.map(({ example }) => example),
    ...compared.flatMap(({ bare, byEngine }) => [bare, byEngine]),
    ownToken,
  ];
  return withDistributingEngine({ examples, slotMilliseconds: SLOT_MILLISECONDS }, async (engine) => {
    const bare: Sent[] = [];
    const paid: Paid[] = [];
    for (const pair of compared) {
      bare.push(await sendBare(engine, pair.bare));
      paid.push(await payFrom(engine, pair.byEngine, MAX_POTS));
    }
    const [bareSending, fastest] = [added(bare), added(paid)];
    const comparisons: Comparison[] = [];
    for (const { pots, example } of runs) {
      const ofRun = await payFrom(engine, example, pots);
      comparisons.push({
        what: `payouts of a run of ${HOLDERS.toLocaleString('en-US')} holders from ${pots} ${pots === 1 ? 'pot' : 'pots'}, slots of ${SLOT_MILLISECONDS} ms`,
        figures: `${written(rate(ofRun))}/s; ${ofRun.payouts} payouts in ${ofRun.rounds} rounds`,
      });
    }
    const tokens = await payFrom(engine, ownToken, 1);
    return [
      {
        what: `payouts/s of the engine from ${MAX_POTS} pots / signing and sending the same number until all are final`,
        ratio: rate(fastest) / rate(bareSending),
        target: { atLeast: 0.8 },
        figures:
          `${written(rate(fastest))}/s in ${paid[0]?.rounds} rounds, ${written(rate(bareSending))}/s; by the sender's processor time ` +
          `${written(perPayout(bareSending) / perPayout(fastest))} (${written(perPayout(fastest))} us, ${written(perPayout(bareSending))} us a payout)`,
      },
      ...comparisons,
      ...sizes(
        paid.flatMap(({ batches }) => batches),
        'sol',
        { recipients: RECIPIENTS.sol, fee: 83 },
      ),
      ...sizes(tokens.batches, 'token', { recipients: 57, fee: 170 }),
    ];
  });
};

function added(sent: readonly Sent[]): Sent {
  const sum = (of: (one: Sent) => number) => sent.reduce((total, one) => total + of(one), 0);
  return {
    payouts: sum(({ payouts }) => payouts),
    milliseconds: sum(({ milliseconds }) => milliseconds),
    processorMilliseconds: sum(({ processorMilliseconds }) => processorMilliseconds),
  };
}

function rate({ payouts: count, milliseconds }: Sent): number {
  return (count * 1_000) / milliseconds;
}

/** Microseconds of processor time. */
function perPayout({ payouts: count, processorMilliseconds }: Sent): number {
  return (processorMilliseconds * 1_000) / count;
}

function sizes(
  batches: readonly SettledBatch[],
  asset: 'sol' | 'token',
  goal: { readonly recipients: number; readonly fee: number },
): readonly Comparison[] {
  const recipients = ({ from, to, without }: SettledBatch) => to - from - without.length;
  const most = Math.max(...batches.map(recipients));
  const full = batches.filter((batch) => recipients(batch) === most);
  const fee = full.reduce((sum, batch) => sum + Number(batch.fee), 0) / full.length;
  const where = asset === 'sol' ? 'SOL' : 'the token';
  return [
    {
      what: `recipients of a transaction in ${where}`,
      ratio: most,
      target: { atLeast: goal.recipients },
      figures: `${full.length} of ${batches.length} batches are full`,
    },
    {
      what: `lamports of base fee for a payout in ${where}, in full batches`,
      ratio: fee / most,
      target: { atMost: goal.fee },
      figures: `${fee} for a transaction, 5,000 for each signature`,
    },
  ];
}

/** Cost from the first recorded round until all payments are settled, or enough rounds were measured. */
async function payFrom(engine: DistributingEngine, example: DistributedExample, pots: number): Promise<Paid> {
  let begun: { readonly at: number; readonly cpu: NodeJS.CpuUsage } | undefined;
  let paid: Paid | undefined;
  await engine.distribute(example, pots, (now) => {
    if (now === undefined || now.run.rounds === 0) return false;
    begun ??= { at: performance.now(), cpu: process.cpuUsage() };
    const { settled, rounds } = now.run;
    const isSettled = now.run.pots.every(({ plans }) => plans.length === 0);
    if (!isSettled || (rounds < ROUNDS && !isAllPaid(now))) return false;
    const { user, system } = process.cpuUsage(begun.cpu);
    paid = {
      payouts: settled.reduce((sum, { from, to, without }) => sum + to - from - without.length, 0),
      milliseconds: performance.now() - begun.at,
      processorMilliseconds: (user + system) / 1_000,
      batches: settled,
      rounds,
    };
    return true;
  });
  if (paid === undefined) throw new Error('nothing was paid');
  return paid;
}

function isAllPaid({ run }: RunNow): boolean {
  return run.pots.every(({ next }, index) => next === run.allotted?.pots[index]?.to);
}

/** The engine opens the pots. All payments from them are signed and sent here, round by round. */
async function sendBare(engine: DistributingEngine, example: DistributedExample): Promise<Sent> {
  const { chain, blobs } = engine;
  let opened: RunNow | undefined;
  await engine.distribute(example, MAX_POTS, (now) => {
    if (now?.state.landed.some(({ purpose }) => purpose === 'open')) opened = now;
    return opened !== undefined && now?.state.pending.length === 0;
  });
  const allotted = opened?.run.allotted;
  if (allotted === undefined) throw new Error('no pot was opened');
  const allotment = await openAllotment(async (offset, length) => {
    const bytes = await blobs.read(allotted.ledger, offset, length);
    if (bytes === undefined) throw new Error('the run has no ledger');
    return bytes;
  });
  const book = await readPaymentBook(allotment, example.mint, async () => {});
  const sender = createSender({ chain, maximumPrice: 0n });
  const pots = allotted.pots.map(({ address, delegate, allowance, from, to }) => ({
    pot: { address, delegate, owner: example.wallet, asset: { kind: 'sol' as const } },
    value: BigInt(allowance),
    next: from,
    to,
  }));
  const at = performance.now();
  const cpu = process.cpuUsage();
  const signatures: string[] = [];
  let units: number | undefined;
  let count = 0;
  let blockhash = await chain.recentBlockhash();
  while (pots.some(({ next, to }) => next < to)) {
    for (const each of pots) {
      if (each.next === each.to) continue;
      if (signatures.length % SIGNED_PER_BLOCKHASH === 0) blockhash = await chain.recentBlockhash();
      const batch = { from: each.next, to: Math.min(each.to, each.next + RECIPIENTS.sol), without: [] };
      const instructions = payFromPot(each.pot, each.value, book.paymentsOf('sol', batch));
      units ??= (await sender.simulate(instructions, KEYRING.distributor.address)).unitsConsumed;
      const signed = await sender.sign(instructions, [KEYRING.distributor], units, blockhash);
      await sender.send(signed);
      signatures.push(signed.signature);
      each.value -= book.sumOfBatch('sol', batch);
      each.next = batch.to;
      count += batch.to - batch.from;
    }
  }
  while ((await chain.statuses(signatures.slice(-1)))[0]?.commitment !== 'finalized') await pause(LOOK_PAUSE);
  const { user, system } = process.cpuUsage(cpu);
  const milliseconds = performance.now() - at;
  const statuses = await chain.statuses(signatures);
  for (const [index, status] of statuses.entries())
    if (status === undefined || status.error !== undefined)
      throw new Error(`payment ${index} did not land: ${status?.error ?? 'unknown'}`);
  return { payouts: count, milliseconds, processorMilliseconds: (user + system) / 1_000 };
}
