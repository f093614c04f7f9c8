/**
 * Brings the recorded batches of a run onto the chain and says what landed, by its finalized transaction and its content alone. Keeps the
 * meter's two rules (`once/meter.ts`): a batch is planned only at a settled value that a finalized read has shown, and no other before.
 */
import { addressBytes, sameBytes } from 'levy-solana-wire';
import pLimit from 'p-limit';
import type { KeyPair } from '../../chain/keys.ts';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type {
  Chain,
  ChainAccount,
  LandedTransaction,
  RecentBlockhash,
  SignatureStatus,
} from '../../ports/chain.ts';
import { sideBySide } from '../../runtime/side-by-side.ts';
import type {
  AllottedRun,
  DistributionRunState,
  PlannedBatch,
  PlannedPot,
  PotProgress,
  Refusal,
  SettledBatch,
} from '../../streams/distribution-run.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { type Absences, isGone } from '../absences.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { type Pot, payFromPot } from '../once/meter.ts';
import { isDry, type LendingPolicy, PAYMENT_UNITS, paymentsToLend } from '../run-keys/lending.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { findTransaction, type HistorySearches } from '../sending/find-transaction.ts';
import type { Sender, SignedTransaction } from '../sending/sender.ts';
import { readTaxedMint } from '../sending/tax-now.ts';
import { judgeRefusal } from './judge-refusal.ts';
import type { PaymentBook } from './payment-book.ts';
import { batchFrom, batchKey, nextRound, openPlan, RECIPIENTS } from './plan-batches.ts';
import { type LandedPayment, readPayment } from './read-payment.ts';

export interface Replan {
  readonly batch: PlannedBatch;
  readonly refused: readonly { readonly number: number; readonly refusal: Refusal }[];
}

export type RoundProgress =
  /** Recorded before anything of it is signed. */
  | { readonly outcome: 'plan'; readonly batches: readonly PlannedBatch[] }
  | { readonly outcome: 'settled'; readonly batches: readonly SettledBatch[] }
  | { readonly outcome: 'replan'; readonly replan: Replan }
  | { readonly outcome: 'waiting'; readonly for: Wait }
  /** The run's key cannot pay the fee of the next payment. */
  | { readonly outcome: 'key-dry'; readonly key: string; readonly payments: number }
  | { readonly outcome: 'done' }
  /** The chain shows what no plan can have caused. */
  | { readonly outcome: 'unknown-payment'; readonly reason: string }
  | { readonly outcome: 'pot-missing'; readonly reason: string };

export interface PayingParts extends LendingPolicy {
  readonly chain: Chain;
  readonly sender: Sender;
  /** The key of the run, which is the delegate where tokens are paid. */
  readonly delegateOf: (runId: string) => KeyPair;
  /** Recipients of a transaction; fewer than fit where given. */
  readonly recipients?: typeof RECIPIENTS;
  /** Awaited between transactions, so that others can run. */
  readonly rest: () => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
}

interface SignedBatch {
  readonly transaction: SignedTransaction;
  /** Earlier signatures of the same batch. */
  readonly before: readonly string[];
  /** The error with which it landed. */
  readonly failure?: string;
}

/** What was signed in this process. Forgetting it costs signatures and searches. */
export interface PayingMemory {
  readonly signed: Map<string, SignedBatch>;
  /** Units of a transaction, by asset and number of recipients. */
  readonly units: Map<string, number>;
  /** The latest slot at which pots were read. */
  slot: bigint;
  /** Looks since something was last signed or settled. */
  looks: number;
}

/** `opened`: the slot at which the pots were seen to be open. A node that is older would show them as missing. */
export function createPayingMemory(opened: bigint): PayingMemory {
  return { signed: new Map(), units: new Map(), slot: opened, looks: 0 };
}

const ACCOUNTS_PER_READ = 100;
const SIGNATURES_PER_READ = 256;
const CALLS_AT_ONCE = 10;
const FIRST_PAUSE = 50;

/**
 * Milliseconds until the next look, doubled with each that shows nothing new: what was sent together is final together,
 * but for what was lost.
 */
export function pauseBeforeLook({ looks }: Pick<PayingMemory, 'looks'>, longest: number): number {
  return Math.min(longest, FIRST_PAUSE * 2 ** looks);
}

export interface Paying {
  readonly token: DistributedToken;
  readonly run: AllottedRun;
  readonly state: DistributionRunState;
  readonly book: PaymentBook;
  readonly memory: PayingMemory;
  readonly absences: Absences;
  readonly searches: HistorySearches;
  /** The run's key was lent the fees of its payments. The payments of older runs are paid for by the distributor. */
  readonly keyPays: boolean;
}

/** One step of a run's payments. Resolves with what is to be recorded, or with what is being waited for. */
export async function payRound(parts: PayingParts, paying: Paying): Promise<RoundProgress> {
  const { run, state } = paying;
  const { recipients = RECIPIENTS } = parts;
  const unsettled = potsWithPlans(run, state);
  if (unsettled.length === 0) {
    const batches = nextRound(run, state, recipients);
    return batches.length === 0 ? { outcome: 'done' } : { outcome: 'plan', batches };
  }
  const settled = await settle(parts, paying, unsettled);
  paying.memory.looks = settled.outcome === 'settled' ? 0 : paying.memory.looks + 1;
  if (settled.outcome !== 'unchanged') return settled;
  return sendBatches(parts, paying, settled.pots);
}

export interface OpenPot {
  readonly index: number;
  readonly planned: PlannedPot;
  readonly progress: PotProgress;
}

function potsWithPlans(run: AllottedRun, state: DistributionRunState): readonly OpenPot[] {
  return run.pots.flatMap((planned, index) => {
    const progress = state.pots[index];
    return progress === undefined || openPlan(progress) === undefined ? [] : [{ index, planned, progress }];
  });
}

/**
 * Reads the meters at `finalized`, and finds the transaction of each that has fallen. Batches whose pots show the planned
 * value are not settled: nothing is known of them.
 */
export async function settle(
  { chain, rest, now }: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
): Promise<
  | Exclude<RoundProgress, { outcome: 'plan' | 'replan' | 'key-dry' | 'done' }>
  | { readonly outcome: 'unchanged'; readonly pots: readonly OpenPot[] }
> {
  const meters = await readMeters(chain, paying, pots);
  const isLowered = (pot: OpenPot, meter: (typeof meters)[number]) =>
    typeof meter === 'bigint' && meter < BigInt(pot.progress.value);
  const lowered = pots.filter((pot, place) => isLowered(pot, meters[place]));
  const payments = await sideBySide(lowered, CALLS_AT_ONCE, async (pot) => {
    const found = await findPayment(chain, paying, pot);
    await rest();
    return found;
  });
  const unchanged: OpenPot[] = [];
  const settled: SettledBatch[] = [];
  let waitingFor: Wait | undefined;
  let gone: string | undefined;
  for (const [place, pot] of pots.entries()) {
    const { address } = pot.planned;
    const shown = meters[place];
    const planned = BigInt(pot.progress.value);
    if (shown === 'missing') {
      const { slot } = paying.memory;
      if (isGone(paying.absences, nameOf(address), { slot, at: now() })) gone ??= address;
      waitingFor = waitFor('node-behind', `The chain node does not show the pot ${address} at slot ${slot}.`);
      continue;
    }
    if (shown !== undefined) paying.absences.delete(nameOf(address));
    // A value above the planned one comes from a node that is behind.
    if (shown === undefined || shown > planned)
      waitingFor = waitFor('node-behind', `The chain node does not show the pot ${address} as it was.`);
    else if (shown === planned) unchanged.push(pot);
    else {
      const found = payments[lowered.indexOf(pot)];
      if (found === undefined) {
        waitingFor = waitFor(
          'transaction-unseen',
          `The chain node does not show the transaction that lowered the pot ${address}.`,
        );
        continue;
      }
      const { batch } = found;
      if (batch === undefined)
        return {
          outcome: 'unknown-payment',
          reason: `The transaction ${found.signature} lowered the pot ${address} from ${planned}, and its payments are in no plan.`,
        };
      settled.push({
        ...batch,
        signature: found.signature,
        slot: found.slot,
        fee: found.fee,
        left: (planned - found.paid).toString(),
      });
    }
  }
  if (settled.length > 0) {
    for (const batch of settled) paying.memory.signed.delete(batchKey(batch));
    return { outcome: 'settled', batches: settled };
  }
  if (gone !== undefined)
    return {
      outcome: 'pot-missing',
      reason: `The pot ${gone} is gone at slot ${paying.memory.slot}, and no close of it was recorded.`,
    };
  if (unchanged.length === 0 && waitingFor !== undefined) return { outcome: 'waiting', for: waitingFor };
  return { outcome: 'unchanged', pots: unchanged };
}

/** Undefined where a node shows something older; `missing` where the account is gone for good. */
async function readMeters(
  chain: Chain,
  { memory, token, absences }: Paying,
  pots: readonly OpenPot[],
): Promise<readonly (bigint | 'missing' | undefined)[]> {
  const meters: (bigint | 'missing' | undefined)[] = [];
  const asOf = memory.slot;
  for (let from = 0; from < pots.length; from += ACCOUNTS_PER_READ) {
    const page = pots.slice(from, from + ACCOUNTS_PER_READ);
    const { slot, accounts } = await chain.accountsAt(
      page.map(({ planned }) => planned.address),
      'finalized',
      { atLeastSlot: asOf, elsewhere: page.some(({ planned }) => absences.has(nameOf(planned.address))) },
    );
    if (slot > memory.slot) memory.slot = slot;
    page.forEach(({ planned }, index) => {
      const meter = slot < asOf ? undefined : meterOf(accounts[index], planned, token);
      meters.push(meter);
    });
  }
  return meters;
}

/** As absences call a pot. */
export function nameOf(pot: string): string {
  return `the pot ${pot}`;
}

/** What is left of the delegate's allowance. */
export function meterOf(
  account: ChainAccount | undefined,
  { delegate }: Pick<PlannedPot, 'delegate'>,
  { wallet }: Pick<DistributedToken, 'wallet'>,
): bigint | 'missing' {
  const shown = account && readTokenAccount(account);
  if (shown === undefined || !sameBytes(shown.owner, addressBytes(wallet.address))) return 'missing';
  return shown.delegate !== undefined && sameBytes(shown.delegate, addressBytes(delegate))
    ? shown.delegatedAmount
    : 0n;
}

/** The transaction that was guarded at the pot's value, and the plan that it paid; undefined if it was in none. */
interface FoundPayment {
  readonly signature: string;
  readonly slot: string;
  readonly fee: string;
  readonly batch: PlannedBatch | undefined;
  readonly paid: bigint;
}

async function findPayment(
  chain: Chain,
  { memory, book, searches }: Paying,
  { planned, progress }: OpenPot,
): Promise<FoundPayment | undefined> {
  const { asset } = planned;
  const value = BigInt(progress.value);
  const own = progress.plans.flatMap((plan) => {
    const signed = memory.signed.get(batchKey(plan));
    return signed === undefined ? [] : [{ plan, ...signed }];
  });
  function paymentIn({ wire }: LandedTransaction): Pick<FoundPayment, 'batch' | 'paid'> | undefined {
    // What this process signed for a plan, byte for byte, needs no reading.
    const signed = own.find(({ transaction }) => sameBytes(transaction.wire, wire));
    if (signed !== undefined) return { batch: signed.plan, paid: book.sumOfBatch(asset, signed.plan) };
    const read = readPayment(wire, planned);
    if (read?.value !== value) return undefined;
    return { batch: batchPaidBy(book, asset, progress.plans, read), paid: sumOf(read) };
  }
  const found = await findTransaction(chain, searches, {
    address: planned.address,
    name: `what was paid at ${value}`,
    likely: own.flatMap(({ transaction, before }) => [transaction.signature, ...before]),
    matches: (landed) => paymentIn(landed) !== undefined,
  });
  const payment = found && paymentIn(found.transaction);
  if (found === undefined || payment === undefined) return undefined;
  const { signature, transaction } = found;
  return { signature, slot: transaction.slot.toString(), fee: transaction.fee.toString(), ...payment };
}

/** The plan whose payments these are. */
function batchPaidBy(
  book: PaymentBook,
  asset: PlannedPot['asset'],
  plans: readonly PlannedBatch[],
  { payments }: LandedPayment,
): PlannedBatch | undefined {
  return plans.find((plan) => {
    const expected = book.paymentsOf(asset, plan);
    return (
      expected.length === payments.length &&
      expected.every(
        ({ to, amount }, index) => to === payments[index]?.to && amount === payments[index]?.amount,
      )
    );
  });
}

function sumOf({ payments }: LandedPayment): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}

async function sendBatches(
  parts: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
): Promise<RoundProgress> {
  const limit = pLimit(CALLS_AT_ONCE);
  const sending: Promise<void>[] = [];
  // What is signed is sent while others are still to be signed. Whatever ends this, nothing is on its way afterwards.
  const progress = await signBatches(parts, paying, pots, (signed) => {
    const sent = limit(() => parts.sender.send(signed));
    // It may fail before anybody waits for it.
    sent.catch(() => undefined);
    sending.push(sent);
  }).finally(() => Promise.allSettled(sending));
  await Promise.all(sending);
  return progress;
}

async function signBatches(
  parts: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
  send: (signed: SignedTransaction) => void,
): Promise<RoundProgress> {
  const { chain, sender, rest } = parts;
  const { memory } = paying;
  const latest = pots.flatMap((pot) => {
    const plan = pot.progress.plans.at(-1);
    return plan === undefined ? [] : [{ pot, plan, signed: memory.signed.get(batchKey(plan)) }];
  });
  const statuses = await statusesOf(
    chain,
    latest.flatMap(({ signed }) => signed?.transaction.signature ?? []),
  );
  const height = (await chain.tip('confirmed')).blockHeight;
  const potNow = await potsNow(chain, paying);
  let blockhash: RecentBlockhash | undefined;
  for (const { pot, plan, signed } of latest) {
    const { planned } = pot;
    const status = signed && statuses.get(signed.transaction.signature);
    const failure = signed?.failure ?? status?.error;
    if (signed !== undefined && failure === undefined) {
      if (status !== undefined) continue;
      if (height <= signed.transaction.lastValidBlockHeight) {
        send(signed.transaction);
        continue;
      }
    }
    if (signed !== undefined && failure !== undefined && signed.failure === undefined) {
      memory.signed.set(batchKey(plan), { ...signed, failure });
      const replan = replanAfter(parts, paying, pot, plan, failure, signed.transaction.wire);
      if (replan !== undefined) return { outcome: 'replan', replan };
    }
    const payments = paying.book.paymentsOf(planned.asset, plan);
    const instructions = payFromPot(potNow(planned), BigInt(plan.value), payments);
    const units = `${planned.asset}/${payments.length}`;
    const keys = signersOf(parts, paying, planned);
    const payer = keys[0].address;
    if (payer === planned.delegate && planned.asset === 'token') {
      const fee = sender.feeOf(memory.units.get(units) ?? PAYMENT_UNITS, keys.length);
      const dry = await dryKey(parts, paying, { planned, plan, fee });
      if (dry !== undefined) return dry;
    }
    // What was signed before and did not land is looked at before a fee is risked again.
    if (signed !== undefined || !memory.units.has(units)) {
      // No recipient is refused for what an older slot shows.
      const simulation = await sender.simulate(instructions, payer, { atLeastSlot: memory.slot });
      if (simulation.error !== undefined) {
        const replan = replanAfter(parts, paying, pot, plan, simulation.error, simulation.wire);
        if (replan !== undefined) return { outcome: 'replan', replan };
        return {
          outcome: 'waiting',
          for: explainRefusal(simulation.error, {
            instructions,
            payer,
            distributor: paying.token.distributor.address,
            tokens: paying.token.tokens,
            otherwise: 'payment-refused',
            what: 'a payment',
          }),
        };
      }
      memory.units.set(units, simulation.unitsConsumed);
      await sender.price([planned.address, payer]);
    }
    blockhash ??= await chain.recentBlockhash();
    const transaction = await sender.sign(instructions, keys, memory.units.get(units) ?? 0, blockhash);
    memory.looks = 0;
    memory.signed.set(batchKey(plan), {
      transaction,
      before: signed === undefined ? [] : [signed.transaction.signature, ...signed.before].slice(0, 8),
    });
    send(transaction);
    await rest();
  }
  return { outcome: 'waiting', for: waitFor('payment-finality') };
}

/** The first pays the fee. */
function signersOf(
  { delegateOf }: PayingParts,
  { token: { distributor }, run, keyPays }: Paying,
  { asset }: PlannedPot,
): readonly [KeyPair, ...KeyPair[]] {
  if (asset === 'sol') return [distributor];
  const delegate = delegateOf(run.runId);
  return keyPays ? [delegate] : [distributor, delegate];
}

/** Undefined while the run's key can pay the fee. */
async function dryKey(
  { chain, now, recipients = RECIPIENTS, ...policy }: PayingParts,
  { memory, absences }: Paying,
  next: { readonly planned: PlannedPot; readonly plan: PlannedBatch; readonly fee: bigint },
): Promise<Extract<RoundProgress, { outcome: 'key-dry' | 'waiting' }> | undefined> {
  const { planned, plan, fee } = next;
  const { delegate: key } = planned;
  // Final, and not before the last loan was: an older look would ask for lamports that have come already.
  const name = `the key ${key}`;
  const { slot, accounts } = await chain.accountsAt([key], 'finalized', {
    atLeastSlot: memory.slot,
    elsewhere: absences.has(name),
  });
  // A payer keeps its rent, so that its account is there: a node that hides it would have it lent more and more.
  if (accounts[0] === undefined && !isGone(absences, name, { slot, at: now() }))
    return {
      outcome: 'waiting',
      for: waitFor('node-behind', `The chain node does not show the key ${key} at slot ${slot}.`),
    };
  absences.delete(name);
  const rent = await chain.rentExemption(0);
  if (!isDry({ held: accounts[0]?.lamports ?? 0n, rent, fee })) return undefined;
  const left = Math.ceil((planned.to - plan.from) / recipients.token);
  return { outcome: 'key-dry', key, payments: paymentsToLend(left, policy) };
}

/** The pots as payments from them are signed now: the tax of the day where tokens are paid. */
async function potsNow(chain: Chain, { run, token, memory }: Paying): Promise<(planned: PlannedPot) => Pot> {
  const paysTokens = run.pots.some(({ asset }) => asset === 'token');
  const tax = paysTokens
    ? (await readTaxedMint(chain, token.mint, { atLeastSlot: memory.slot })).now
    : undefined;
  return ({ address, delegate, asset }) => ({
    address,
    owner: token.wallet.address,
    delegate,
    asset:
      asset === 'token' && tax !== undefined
        ? { kind: 'token', mint: token.mint, decimals: token.decimals, tax }
        : { kind: 'sol' },
  });
}

/** Another plan for the same value; undefined where no recipient is at fault. */
function replanAfter(
  { recipients = RECIPIENTS }: PayingParts,
  { book, state }: Paying,
  { index, planned }: OpenPot,
  plan: PlannedBatch,
  error: string,
  wire: Uint8Array,
): Replan | undefined {
  const payments = book.paymentsOf(planned.asset, plan);
  const verdict = judgeRefusal(error, planned.asset, payments, wire);
  if (verdict.outcome === 'not-a-recipient') return undefined;
  const numbers = book.numbersOf(plan);
  if (verdict.outcome === 'somebody') {
    const half = batchFrom(state, plan, planned, Math.ceil(numbers.length / 2));
    return half === undefined ? undefined : { batch: half, refused: [] };
  }
  const number = numbers[verdict.place];
  if (number === undefined) return undefined;
  const refused = [{ number, refusal: verdict.refusal }];
  const left = plan.without.concat(number).sort((a, b) => a - b);
  const batch =
    numbers.length > 1
      ? { ...plan, without: left }
      : batchFrom(
          { refused: { ...state.refused, [`${planned.asset}/${number}`]: verdict.refusal } },
          { pot: index, value: plan.value, from: plan.from },
          planned,
          recipients[planned.asset],
        );
  // Where nobody is left, the recorded refusal ends the pot.
  return { batch: batch ?? { ...plan, without: left }, refused };
}

async function statusesOf(
  chain: Chain,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, SignatureStatus | undefined>> {
  const found = new Map<string, SignatureStatus | undefined>();
  for (let from = 0; from < signatures.length; from += SIGNATURES_PER_READ) {
    const page = signatures.slice(from, from + SIGNATURES_PER_READ);
    const statuses = await chain.statuses(page);
    page.forEach((signature, index) => {
      found.set(signature, statuses[index]);
    });
  }
  return found;
}
