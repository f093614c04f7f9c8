/** Signs and sends the recorded batches of pots whose meters show the planned value: again and again, until one lands. */
import pLimit from 'p-limit';
import type { KeyPair } from '../../chain/keys.ts';
import type { Chain, RecentBlockhash, SignatureStatus } from '../../kernel/ports/chain.ts';
import { BatchReplanned, type PlannedBatch, type PlannedPot } from '../../streams/distribution-run.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { type Decision, recordsOfRun, waits } from '../decision.ts';
import { type Pot, payFromPot } from '../once/meter.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { pauseLeft, recordFailure } from '../sending/failures.ts';
import type { SignedTransaction } from '../sending/sender.ts';
import { readTaxedMint } from '../sending/tax-now.ts';
import { confirmLanded, confirmSimulated } from './confirm-refusal.ts';
import type { OpenPot, Paying, PayingParts, Replan, SignedBatch } from './paying.ts';
import { batchKey } from './plan-batches.ts';
import { replanAfter } from './replan-after.ts';

const SIGNATURES_PER_READ = 256;
const CALLS_AT_ONCE = 10;
/** Earlier signatures of a batch that are remembered. */
const MOST_BEFORE = 8;
/** Compute units of a full batch. */
const PAYMENT_UNITS = 200_025;

export async function sendBatches(
  parts: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
): Promise<Decision> {
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

/** The batch that a pot is to pay now. */
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
  /** Shared by all that is signed in one go. */
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
  const statuses = await statusesOf(chain, known);
  const height = (await chain.tip('confirmed')).blockHeight;
  const potNow = await potsNow(chain, paying);
  let blockhash: Promise<RecentBlockhash> | undefined;
  const recent = () => {
    blockhash ??= chain.recentBlockhash();
    return blockhash;
  };
  const signing: Signing = { parts, paying, send, potNow, blockhash: recent };
  for (const each of due) {
    const status = each.signed && statuses.get(each.signed.transaction.signature);
    const end = await bringOn(signing, each, status, height);
    if (end !== undefined) return end;
  }
  const now = parts.clock.now().getTime();
  const failed = due.flatMap(({ plan }) => pauseLeft(paying.memory.failures, batchKey(plan), now) ?? []);
  return waits(failed[0] ?? waitFor('finality', 'Payments are on their way to being final.'));
}

/** What is to be done about a batch: what failed once is judged once, and signed again. Pure. */
export function nextOf(
  signed: SignedBatch | undefined,
  status: SignatureStatus | undefined,
  height: bigint,
): 'sign' | 'send' | 'judge' | 'leave' {
  if (signed === undefined || signed.failure !== undefined) return 'sign';
  if (status !== undefined) return status.error === undefined ? 'leave' : 'judge';
  return height <= signed.transaction.lastValidBlockHeight ? 'send' : 'sign';
}

/** Resolves with what ends the round before all batches are signed; undefined where nothing does. */
async function bringOn(
  signing: Signing,
  due: Due,
  status: SignatureStatus | undefined,
  height: bigint,
): Promise<Decision | undefined> {
  const { pot, plan, signed } = due;
  const next = nextOf(signed, status, height);
  if (next === 'leave') return undefined;
  if (next === 'send' && signed !== undefined) {
    signing.send(signed.transaction);
    return undefined;
  }
  const error = status?.error;
  if (next === 'judge' && signed !== undefined && error !== undefined) {
    const { paying, parts } = signing;
    const { signature, wire } = signed.transaction;
    recordFailure(paying.memory.failures, batchKey(plan), {
      signature,
      error,
      at: parts.clock.now().getTime(),
    });
    const replan = replanAfter(paying, pot, { plan, error, wire }, parts.policy.recipients);
    if (replan !== undefined && replan.refused.length > 0) {
      const word = await confirmLanded(parts, { signature, error });
      // Judged again at the next look: a failure is final some seconds after it has landed.
      if (word !== 'confirmed') return undefined;
    }
    paying.memory.signed.set(batchKey(plan), { ...signed, failure: error });
    if (replan !== undefined) return replanned(paying, replan);
  }
  if (
    pauseLeft(signing.paying.memory.failures, batchKey(plan), signing.parts.clock.now().getTime()) !==
    undefined
  )
    return undefined;
  return signAnew(signing, due);
}

async function signAnew(signing: Signing, { pot, plan, signed }: Due): Promise<Decision | undefined> {
  const { parts, paying, send, potNow, blockhash } = signing;
  const { sender, rest } = parts;
  const { memory, book } = paying;
  const { planned } = pot;
  const payments = book.paymentsOf(planned.asset, plan);
  const instructions = payFromPot(potNow(planned), BigInt(plan.value), payments);
  const units = `${planned.asset}/${payments.length}`;
  const keys = signersOf(parts, paying, planned);
  // What was signed before and did not land is simulated before a fee is risked again.
  if (signed !== undefined || !memory.units.has(units)) {
    const end = await tryOut(signing, { pot, plan, instructions, payer: keys[0].address, units });
    if (end === 'undecided') return undefined;
    if (end !== undefined) return end;
  }
  const limit = memory.units.get(units) ?? PAYMENT_UNITS;
  const transaction = await sender.sign(instructions, keys, limit, await blockhash());
  memory.looks = 0;
  const before = signed === undefined ? [] : [signed.transaction.signature, ...signed.before];
  memory.signed.set(batchKey(plan), { transaction, before: before.slice(0, MOST_BEFORE) });
  send(transaction);
  await rest();
  return undefined;
}

/**
 * Simulates the batch and records what it uses; resolves with what follows where it would fail. `undecided`: one answer alone says
 * that a recipient is refused.
 */
async function tryOut(
  { parts, paying }: Signing,
  {
    pot,
    plan,
    instructions,
    payer,
    units,
  }: Pick<Due, 'pot' | 'plan'> & {
    readonly instructions: ReturnType<typeof payFromPot>;
    readonly payer: string;
    readonly units: string;
  },
): Promise<Decision | 'undecided' | undefined> {
  const { sender, policy } = parts;
  const { memory, token } = paying;
  // No recipient is refused for what an older slot shows.
  const { error, wire, slot, unitsConsumed } = await sender.simulate(instructions, payer, {
    atLeastSlot: memory.slot,
  });
  if (error === undefined) {
    memory.units.set(units, unitsConsumed);
    await sender.price([pot.planned.address, payer]);
    return undefined;
  }
  const replan = replanAfter(paying, pot, { plan, error, wire }, policy.recipients);
  if (replan !== undefined && replan.refused.length > 0) {
    const name = `a refusal in ${batchKey(plan)}`;
    const word = await confirmSimulated(parts, paying, { name, error, slot, wire });
    if (word === 'undecided') return word;
    if (word === 'doubtful') return undefined;
  }
  if (replan !== undefined) return replanned(paying, replan);
  return waits(
    explainRefusal(error, {
      instructions,
      distributor: token.distributor.address,
      tokens: token.tokens,
      what: 'a payment',
    }),
  );
}

function replanned({ run: { tokenId, runId } }: Pick<Paying, 'run'>, { batch, refused }: Replan): Decision {
  return recordsOfRun(BatchReplanned({ tokenId, runId, batch, refused: [...refused] }));
}

/** The first pays the fee. */
function signersOf(
  { keyring }: PayingParts,
  { token: { distributor }, run }: Paying,
  { asset }: PlannedPot,
): readonly [KeyPair, ...KeyPair[]] {
  return asset === 'sol' ? [distributor] : [distributor, keyring.distributorOfRun(run.runId)];
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
