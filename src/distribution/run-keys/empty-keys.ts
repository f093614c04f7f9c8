/**
 * Takes back what is left of the lamports that keys of closed runs were lent. Such a transfer goes from one of our keys to
 * the distributor, and no payment needs the key any more: it may be signed again, land late or land twice.
 */
import { addressOf, decodeTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import type { Keyring } from '../../chain/keys.ts';
import { transferInstruction, transferredLamports } from '../../chain/system-instructions.ts';
import type { Chain, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { type DistributionState, type LentKey, RunKeyEmptied } from '../../streams/distribution.ts';
import { pauseAfterFailures } from '../sending/failures.ts';
import { findTransaction, type HistorySearches } from '../sending/find-transaction.ts';
import type { Sender, SignedTransaction } from '../sending/sender.ts';
import { slotReached } from '../slot-reached.ts';
import { TRANSFER_UNITS } from './lending.ts';

export interface EmptyingParts {
  readonly chain: Chain;
  readonly sender: Sender;
  readonly keyring: Pick<Keyring, 'distributor' | 'distributorOfRun'>;
  readonly clock: Clock;
}

interface EmptyingTransfer {
  readonly signed: SignedTransaction;
  /** How often one has failed so far. */
  readonly failures: number;
  /** Nothing is signed before; milliseconds. */
  readonly notBefore: number;
}

export interface EmptyingMemory {
  /** The newest transfer of each key. Forgetting them costs a signature. */
  readonly transfers: Map<string, EmptyingTransfer>;
  readonly searches: HistorySearches;
}

const KEYS_PER_READ = 100;
const LOOK_PAUSE = 400;
/** Lamports that a key receives just then make a transfer fail: the account would keep less than its rent. */
const SHORTEST_PAUSE = 5_000;

export interface KeysLook {
  /** Nothing is left in their keys, as final; to be recorded. */
  readonly emptied: readonly ReturnType<typeof RunKeyEmptied>[];
  /** Milliseconds until the next look; undefined when no other key of the token holds anything. */
  readonly pause: number | undefined;
}

/** Sends back what is left in the keys of closed runs, and looks what has come of it. */
export async function lookAtKeys(
  parts: EmptyingParts,
  tokenId: string,
  { lent, till }: Pick<DistributionState, 'lent' | 'till'>,
  memory: EmptyingMemory,
): Promise<KeysLook> {
  if (lent.length === 0) return { emptied: [], pause: undefined };
  const keys = lent.slice(0, KEYS_PER_READ);
  // No older than the last link: a node that has not seen it yet would show a key as empty that is not lent to yet.
  const { slot, accounts } = await parts.chain.accountsAt(
    keys.map(({ key }) => key),
    'finalized',
    { atLeastSlot: slotReached({ till }) },
  );
  const emptied: ReturnType<typeof RunKeyEmptied>[] = [];
  let pause: number | undefined;
  for (const [index, lentKey] of keys.entries()) {
    const isEmpty = (accounts[index]?.lamports ?? 0n) === 0n;
    const found = isEmpty ? await whatEmptied(parts, tokenId, lentKey, memory) : undefined;
    if (found !== undefined) {
      emptied.push(found);
      continue;
    }
    const next = isEmpty ? SHORTEST_PAUSE : await takeBack(parts, lentKey, memory, slot);
    pause = Math.min(pause ?? next, next);
  }
  return { emptied, pause };
}

/** Undefined while the node does not show the transaction. */
async function whatEmptied(
  { chain, keyring, clock }: EmptyingParts,
  tokenId: string,
  { runId, key }: LentKey,
  memory: EmptyingMemory,
): Promise<ReturnType<typeof RunKeyEmptied> | undefined> {
  const own = memory.transfers.get(key)?.signed.signature;
  const to = keyring.distributor.address;
  const found = await findTransaction(chain, memory.searches, {
    address: key,
    name: 'what emptied the key',
    likely: own === undefined ? [] : [own],
    matches: (landed) => lamportsMoved(landed, key, to) > 0n,
  });
  if (found === undefined) return undefined;
  memory.transfers.delete(key);
  const { signature, transaction } = found;
  return RunKeyEmptied({
    tokenId,
    runId,
    key,
    returned: lamportsMoved(transaction, key, to).toString(),
    signature,
    fee: transaction.fee.toString(),
    emptiedAt: clock.now().toISOString(),
  });
}

/** Lamports that go from the one to the other; 0 where the transaction is another. */
function lamportsMoved({ wire }: Pick<LandedTransaction, 'wire'>, from: string, to: string): bigint {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return 0n;
  const { accountKeys, instructions } = decoded.transaction.message;
  const name = (index: number | undefined) => {
    const bytes = accountKeys[index ?? -1];
    return bytes && addressOf(bytes);
  };
  return instructions.reduce((sum, { programIndex, accountIndexes, data }) => {
    const isOurs =
      name(programIndex) === SYSTEM_PROGRAM &&
      name(accountIndexes[0]) === from &&
      name(accountIndexes[1]) === to;
    return isOurs ? sum + (transferredLamports(data) ?? 0n) : sum;
  }, 0n);
}

async function takeBack(
  parts: EmptyingParts,
  { runId, key }: LentKey,
  memory: EmptyingMemory,
  atLeastSlot: bigint,
): Promise<number> {
  const { chain, sender, clock } = parts;
  const now = clock.now().getTime();
  const before = memory.transfers.get(key);
  if (before !== undefined) {
    if (now < before.notBefore) return before.notBefore - now;
    const [status] = await chain.statuses([before.signed.signature]);
    if (status?.error !== undefined && before.notBefore === 0) {
      const pause = pauseAfterFailures(before.failures);
      memory.transfers.set(key, { ...before, failures: before.failures + 1, notBefore: now + pause });
      return pause;
    }
    const { blockHeight } = await chain.tip('confirmed');
    if (status?.error === undefined && blockHeight <= before.signed.lastValidBlockHeight) {
      await sender.send(before.signed);
      return LOOK_PAUSE;
    }
  }
  const signed = await sign(parts, { runId, key }, atLeastSlot);
  // Nothing is left by now: that is recorded once it is final.
  if (signed === undefined) return LOOK_PAUSE;
  memory.transfers.set(key, { signed, failures: before?.failures ?? 0, notBefore: 0 });
  await sender.send(signed);
  return LOOK_PAUSE;
}

async function sign(
  { chain, sender, keyring }: EmptyingParts,
  { runId, key }: LentKey,
  atLeastSlot: bigint,
): Promise<SignedTransaction | undefined> {
  const { distributor } = keyring;
  const runKey = keyring.distributorOfRun(runId);
  if (runKey.address !== key) throw new Error(`the key ${key} is not that of the run ${runId}`);
  const [account] = await chain.accounts([key], 'confirmed', { atLeastSlot });
  const held = account?.lamports ?? 0n;
  if (held === 0n) return undefined;
  const rent = await chain.rentExemption(0);
  const blockhash = await chain.recentBlockhash();
  const fee = sender.feeOf(TRANSFER_UNITS, 1);
  // The chain refuses a payer whom the fee leaves with less than its rent, even if nothing is left in the end.
  const paysItself = held >= rent + fee;
  const lamports = paysItself ? held - fee : held;
  return sender.sign(
    [transferInstruction({ from: key, to: distributor.address, lamports })],
    paysItself ? [runKey] : [distributor, runKey],
    TRANSFER_UNITS,
    blockhash,
  );
}
