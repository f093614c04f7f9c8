/** Signs and sends the recorded batches of pots whose meters show the planned value, repeatedly until one lands. */
import pLimit from 'p-limit';
import type { KeyPair } from '../../chain/keys.ts';
import type { Chain, RecentBlockhash, SignatureStatus } from '../../kernel/ports/chain.ts';
import { BatchReplanned, type PlannedBatch, type PlannedPot } from '../../streams/distribution-run.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { failureOfNode, isConfirmed, RETRYABLE } from '../absences.ts';
import { type Decision, recordsOfRun, waits } from '../decision.ts';
import { type Pot, payFromPot } from '../once/meter.ts';
import { readTaxedMint } from '../sending/current-tax.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { pauseLeft, recordFailure } from '../sending/failures.ts';
import type { Sender, SignedTransaction } from '../sending/sender.ts';
import type { OpenPot, Paying, PayingParts, Replan, SignedBatch } from './paying-memory.ts';
import { batchKey } from './plan-batches.ts';
import { replanBatch } from './replan-batch.ts';

const CONCURRENT_CALLS = 10;
/** Maximum number of cached earlier signatures of a batch. */
const MAX_BEFORE = 8;
/** Compute units of a full batch. */
const PAYMENT_UNITS = 200_025;

export async function sendBatches(
  parts: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
): Promise<Decision> {
  const limit = pLimit(CONCURRENT_CALLS);
  const sending: Promise<void>[] = [];
  // Signed transactions are sent while the next ones are being signed. After this call no send is pending.
  const progress = await signBatches(parts, paying, pots, (signed) => {
    const sent = limit(() => parts.sender.send(signed));
    // Prevents an unhandled rejection if the send fails before it is awaited.
    sent.catch(() => undefined);
    sending.push(sent);
  }).finally(() => Promise.allSettled(sending));
  await Promise.all(sending);
  return progress;
}

/** Next batch of a pot. */
interface Due {
  readonly pot: OpenPot;
  readonly plan: PlannedBatch;
  readonly signed: SignedBatch | undefined;
}

interface Signing {
  readonly parts: PayingParts;
  readonly paying: Paying;
  readonly send: (signed: SignedTransaction) => void;
  readonly potNow: (planned: PlannedPot) => Pot;
  /** One blockhash for all transactions of this call. */
  readonly blockhash: () => Promise<RecentBlockhash>;
}

async function signBatches(
  parts: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
  send: Signing['send'],
): Promise<Decision> {
  const { chain } = parts;
  const due = pots.flatMap((pot): Due[] => {
    const plan = pot.progress.plans.at(-1);
    return plan === undefined ? [] : [{ pot, plan, signed: paying.memory.signed.get(batchKey(plan)) }];
  });
  const known = due.flatMap(({ signed }) => signed?.transaction.signature ?? []);
  const statuses = await chain.statuses(known);
  const statusOf = new Map(known.map((signature, index) => [signature, statuses[index]]));
  const height = (await chain.tip('confirmed')).blockHeight;
  const potNow = await potsNow(chain, paying);
  let blockhash: Promise<RecentBlockhash> | undefined;
  const recent = () => {
    blockhash ??= chain.recentBlockhash();
    return blockhash;
  };
  const signing: Signing = { parts, paying, send, potNow, blockhash: recent };
  for (const each of due) {
    const status = each.signed && statusOf.get(each.signed.transaction.signature);
    const end = await bringOn(signing, each, status, height);
    if (end !== undefined) return end;
  }
  const now = parts.clock.now().getTime();
  const failed = due.flatMap(({ plan }) => pauseLeft(paying.memory.failures, batchKey(plan), now) ?? []);
  return waits(failed[0] ?? waitFor('finality', 'Payments are not final yet.'));
}

/**
 * Sends or signs one batch. Returns a decision that ends the signing early, or undefined to continue with the next
 * batch.
 */
async function bringOn(
  signing: Signing,
  due: Due,
  status: SignatureStatus | undefined,
  height: bigint,
): Promise<Decision | undefined> {
  const { pot, plan, signed } = due;
  const { parts, paying } = signing;
  const { failures } = paying.memory;
  const key = batchKey(plan);
  // The failure of a signed transaction is judged once. Afterwards the batch is signed again.
  if (signed !== undefined && signed.failure === undefined) {
    const { signature, wire, lastValidBlockHeight } = signed.transaction;
    if (status === undefined && height <= lastValidBlockHeight) {
      signing.send(signed.transaction);
      return undefined;
    }
    const error = status?.error;
    if (status !== undefined && error === undefined) return undefined;
    if (error !== undefined) {
      recordFailure(failures, key, { signature, error, at: parts.clock.now().getTime() });
      const replan = replanBatch(paying, pot, { plan, error, wire }, parts.policy.recipients);
      // The failure is not final yet. The next read judges it again.
      if (replan !== undefined && replan.refused.length > 0 && !(await hasFailed(parts, signature, error)))
        return undefined;
      paying.memory.signed.set(key, { ...signed, failure: error });
      if (replan !== undefined) return replanned(paying, replan);
    }
  }
  if (pauseLeft(failures, key, parts.clock.now().getTime()) !== undefined) return undefined;
  return signAnew(signing, due);
}

async function signAnew(signing: Signing, due: Due): Promise<Decision | undefined> {
  const { pot, plan, signed } = due;
  const { parts, paying, send, potNow, blockhash } = signing;
  const { sender, yieldToOthers } = parts;
  const { memory, book } = paying;
  const { planned } = pot;
  const payments = book.paymentsOf(planned.asset, plan);
  const instructions = payFromPot(potNow(planned), BigInt(plan.value), payments);
  const units = `${planned.asset}/${payments.length}`;
  const keys = signersOf(parts, paying, planned);
  // A signed batch that did not land is simulated before another fee is at risk.
  if (signed !== undefined || !memory.units.has(units)) {
    const end = await tryOut(signing, due, instructions, keys[0].address, units);
    if (end === 'undecided') return undefined;
    if (end !== undefined) return end;
  }
  const limit = memory.units.get(units) ?? PAYMENT_UNITS;
  const transaction = await sender.sign(instructions, keys, limit, await blockhash());
  memory.looks = 0;
  const before = signed === undefined ? [] : [signed.transaction.signature, ...signed.before];
  memory.signed.set(batchKey(plan), { transaction, before: before.slice(0, MAX_BEFORE) });
  send(transaction);
  await yieldToOthers();
  return undefined;
}

/**
 * Simulates the batch and records its compute units. Returns a decision if the batch would fail, and `undecided`
 * while the refusal of a recipient is not confirmed.
 */
async function tryOut(
  { parts, paying }: Signing,
  { pot, plan }: Due,
  instructions: ReturnType<typeof payFromPot>,
  payer: string,
  units: string,
): Promise<Decision | 'undecided' | undefined> {
  const { sender, policy } = parts;
  const { memory, token } = paying;
  // A node at an older slot might refuse a recipient for an outdated reason.
  const simulation = await sender.simulate(instructions, payer, { atLeastSlot: memory.slot });
  const { error, wire, unitsConsumed } = simulation;
  if (error === undefined) {
    memory.units.set(units, unitsConsumed);
    await sender.price([pot.planned.address, payer]);
    return undefined;
  }
  const replan = replanBatch(paying, pot, { plan, error, wire }, policy.recipients);
  if (replan !== undefined && replan.refused.length > 0) {
    const name = `a refusal in ${batchKey(plan)}`;
    const refused = await isRefused(parts, paying, name, error, simulation);
    if (refused !== true) return refused || undefined;
  }
  if (replan !== undefined) return replanned(paying, replan);
  return waits(explainRefusal(error, { instructions, token, what: 'a payment' }));
}

function replanned({ run: { tokenId, runId } }: Pick<Paying, 'run'>, { batch, refused }: Replan): Decision {
  return recordsOfRun(BatchReplanned({ tokenId, runId, batch, refused: [...refused] }));
}

/** Signers of a batch; the first pays the fee. */
function signersOf(
  { keyring }: PayingParts,
  { token: { distributor }, run }: Paying,
  { asset }: PlannedPot,
): readonly [KeyPair, ...KeyPair[]] {
  return asset === 'sol' ? [distributor] : [distributor, keyring.distributorOfRun(run.runId)];
}

/** Returns pots with the current transfer fee, if tokens are paid. */
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

/**
 * True if simulations confirm the refusal, `undecided` if more responses are needed, false if only a sent
 * transaction can prove it.
 */
async function isRefused(
  { witness, clock }: Pick<PayingParts, 'witness' | 'clock'>,
  { absences }: Pick<Paying, 'absences'>,
  name: string,
  error: string,
  { slot, wire }: Awaited<ReturnType<Sender['simulate']>>,
): Promise<boolean | 'undecided'> {
  if (!isConfirmed(absences, name, { slot, at: clock.now().getTime(), verdict: error }, RETRYABLE))
    return 'undecided';
  absences.delete(name);
  if (witness === undefined) return true;
  const seen = await ifAnswered(() => witness.simulate(wire, { anyBlockhash: true, atLeastSlot: slot }));
  return seen?.error === error;
}

/** True once the transaction is finalized with this error at both nodes. */
async function hasFailed(
  { chain, witness }: Pick<PayingParts, 'chain' | 'witness'>,
  signature: string,
  error: string,
): Promise<boolean> {
  const isShown = async (node: Pick<Chain, 'transaction'>) =>
    (await ifAnswered(() => node.transaction(signature, 'finalized')))?.error === error;
  return (await isShown(chain)) && (witness === undefined || (await isShown(witness)));
}

/** Undefined if the node does not respond. */
async function ifAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    failureOfNode(error);
    return undefined;
  }
}
