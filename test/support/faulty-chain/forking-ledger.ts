/**
 * A chain in this process that can fork: the real virtual machine with the real token programs, blocks, and what every
 * account was at the end of each of them. Nothing here is faulty or random; `faulty-network.ts` decides what happens.
 */
import { createHash } from 'node:crypto';
import {
  addressBytes,
  addressOf,
  base58,
  decodeTransaction,
  isWritable,
  transactionSignature,
} from 'levy-solana-wire';
import {
  Account,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  Rent,
} from 'litesvm/dist/internal.js';
import { landsDespite, transactionErrorOf } from '../../../packages/local-chain/src/transaction-errors.ts';
import { readTokenAccount } from '../../../src/chain/token-accounts.ts';
import type { ChainAccount, LandedTransaction, Simulation } from '../../../src/kernel/ports/chain.ts';

/** Blocks on top of its own after which a blockhash is no longer taken. */
const BLOCKHASH_LIFETIME = 150;
const SLOTS_PER_EPOCH = 400;
const FEE_PER_SIGNATURE = 5_000n;
const FIRST_SLOT = 1_000;
const RENT_EPOCH = 18_446_744_073_709_551_615n;

/** Also known by its executability, which the port does not show. */
interface Stored extends ChainAccount {
  readonly executable: boolean;
}

interface LedgerTransaction extends LandedTransaction {
  readonly signature: string;
  readonly fee: bigint;
  /** Every account that it names. */
  readonly names: readonly string[];
}

interface Block {
  readonly slot: number;
  readonly blockhash: string;
  readonly transactions: LedgerTransaction[];
  /** Earlier states of the changed accounts; undefined if the account did not exist. */
  readonly before: Map<string, Stored | undefined>;
}

/** The chain as it was at the end of a slot, or as it was on a fork that is gone. */
export interface View {
  readonly slot: number;
  account(address: string): ChainAccount | undefined;
  /** Accounts of a token program with this mint. */
  tokenAccounts(mint: string): readonly { readonly address: string; readonly account: ChainAccount }[];
  readonly blockhash: string;
  /** Newest first. */
  transactions(): Iterable<LedgerTransaction>;
}

export interface ForkingLedger {
  /** The newest slot. */
  slot(): number;
  finalized(): number;
  /** Makes a slot, with a block whose transactions are added by `land`. */
  nextSlot(): void;
  finalizeUpTo(slot: number): void;
  /** Takes back all blocks after the slot, and answers with their transactions. */
  rollBackTo(slot: number): readonly LedgerTransaction[];
  /** `landed` also says whether it stands in the block: a failed one that is charged does. */
  land(wire: Uint8Array): { readonly landed: boolean; readonly error: string | undefined };
  simulate(wire: Uint8Array): Simulation;
  /** True if a transaction with this blockhash could land in the next block. */
  takes(blockhash: string): boolean;
  lastValidHeight(blockhash: string): number;
  /** At the end of a slot, not before the first finalized one that is kept. */
  at(slot: number): View;
  /** Last blocks of the newest dropped forks. */
  dropped(): readonly View[];
  /** Outside of all rules, as an airdrop or a genesis does. */
  put(address: string, account: ChainAccount): void;
  rent(size: number): bigint;
  setRent(lamportsPerByte: bigint): void;
  epoch(): bigint;
  /** Puts everything back as it was before the first slot, so that the machine can be used again. */
  reset(): void;
}

/** Making a machine takes longer than many runs. */
const machines: LiteSvm[] = [];

function takeMachine(): LiteSvm {
  const used = machines.pop();
  if (used !== undefined) return used;
  const svm = new LiteSvm();
  svm.withNativeMints();
  svm.setBlockhashCheck(false);
  // To sign needs all keys, and nobody here forges: checking takes longer than running.
  svm.setSigverify(false);
  // Bytes that landed on a fork that is gone may land again.
  svm.setTransactionHistory(0n);
  const slots = BigInt(SLOTS_PER_EPOCH);
  svm.setEpochSchedule(new EpochSchedule(slots, slots, false, 0n, 0n));
  return svm;
}

export function createForkingLedger(seed: number): ForkingLedger {
  const svm = takeMachine();
  const originalRent = svm.getRent();
  const accounts = new Map<string, Stored>();
  const touched = new Set<string>();
  const blocks: Block[] = [];
  /** Slots that hold transactions; most slots have none. */
  let filled: Block[] = [];
  const forks: View[] = [];
  /** Blockhashes of this fork, and their slots. */
  const heights = new Map<string, number>();
  let forkNumber = 0;
  let finalizedSlot = FIRST_SLOT;

  const newest = (): Block => {
    const block = blocks.at(-1);
    if (block === undefined) throw new Error('there is no block');
    return block;
  };
  const blockOf = (slot: number) => blocks[slot - FIRST_SLOT];

  function nextSlot(): void {
    const slot = FIRST_SLOT + blocks.length;
    const blockhash = base58(createHash('sha256').update(`${seed} ${forkNumber} ${slot}`).digest());
    blocks.push({ slot, blockhash, transactions: [], before: new Map() });
    heights.set(blockhash, slot);
  }

  /** Only before something runs: nothing does in most slots. */
  function enterSlot(): void {
    const { slot } = newest();
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(slot)));
  }

  function read(address: string): Stored | undefined {
    const account = svm.getAccount(addressBytes(address));
    if (account === null || account.lamports() === 0n) return undefined;
    return {
      owner: addressOf(account.owner()),
      lamports: account.lamports(),
      data: account.data(),
      executable: account.executable(),
    };
  }

  function write(address: string, account: Stored | undefined): void {
    touched.add(address);
    const { owner, lamports, data, executable } = account ?? {
      owner: '11111111111111111111111111111111',
      lamports: 0n,
      data: new Uint8Array(),
      executable: false,
    };
    svm.setAccount(
      addressBytes(address),
      new Account(lamports, Uint8Array.from(data), addressBytes(owner), executable, RENT_EPOCH),
    );
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
  }

  function note(address: string, after: Stored | undefined): void {
    touched.add(address);
    const { before } = newest();
    const known = accounts.get(address);
    if (!before.has(address)) before.set(address, known);
    if (after === undefined) accounts.delete(address);
    else accounts.set(address, after);
  }

  function takes(blockhash: string): boolean {
    const slot = heights.get(blockhash);
    return slot !== undefined && newest().slot - slot < BLOCKHASH_LIFETIME;
  }

  /** Signatures in blocks whose blockhashes are still taken: a chain takes the same bytes once. */
  const processed = new Map<string, number>();

  function rollBackTo(slot: number): readonly LedgerTransaction[] {
    if (slot < finalizedSlot) throw new RangeError('what is finalized is not taken back');
    if (slot >= newest().slot) return [];
    const lost = viewAt(newest().slot);
    forks.push({ ...lost, ...frozen(lost) });
    if (forks.length > 2) forks.shift();
    const gone: LedgerTransaction[] = [];
    while (newest().slot > slot) {
      const block = newest();
      for (const [address, before] of block.before) write(address, before);
      for (const { signature } of block.transactions) processed.delete(signature);
      gone.unshift(...block.transactions);
      heights.delete(block.blockhash);
      blocks.pop();
    }
    filled = filled.filter((block) => block.slot <= slot);
    forkNumber += 1;
    return gone;
  }

  function valueAt(address: string, slot: number): Stored | undefined {
    for (let at = slot + 1; at <= newest().slot; at += 1) {
      const { before } = blockOf(at) ?? {};
      if (before?.has(address)) return before.get(address);
    }
    return accounts.get(address);
  }

  function viewAt(slot: number): View {
    return {
      slot,
      blockhash: blockOf(slot)?.blockhash ?? '',
      // Programs and what else the machine began with.
      account: (address) => valueAt(address, slot) ?? (touched.has(address) ? undefined : read(address)),
      tokenAccounts(mint) {
        const bytes = addressBytes(mint);
        const addresses = new Set(accounts.keys());
        for (let at = slot + 1; at <= newest().slot; at += 1)
          for (const address of blockOf(at)?.before.keys() ?? []) addresses.add(address);
        return [...addresses].sort().flatMap((address) => {
          const account = valueAt(address, slot);
          const isOfMint =
            account !== undefined &&
            account.data.length >= 165 &&
            (account.data.length === 165 || account.data[165] === 2) &&
            Buffer.compare(account.data.subarray(0, 32), bytes) === 0;
          return isOfMint ? [{ address, account }] : [];
        });
      },
      *transactions() {
        for (const block of filled.toReversed())
          if (block.slot <= slot) yield* block.transactions.toReversed();
      },
    };
  }

  /** What a view shows, however the chain goes on. */
  function frozen(view: View): Omit<View, 'slot' | 'blockhash'> {
    const kept = new Map(accounts);
    const transactions = [...view.transactions()];
    const own = new Map<string, ReturnType<View['tokenAccounts']>>();
    return {
      account: (address) => kept.get(address),
      tokenAccounts(mint) {
        const bytes = addressBytes(mint);
        const known = own.get(mint);
        if (known !== undefined) return known;
        const found = [...kept.keys()].sort().flatMap((address) => {
          const account = kept.get(address);
          return account !== undefined &&
            account.data.length >= 165 &&
            Buffer.compare(account.data.subarray(0, 32), bytes) === 0
            ? [{ address, account }]
            : [];
        });
        own.set(mint, found);
        return found;
      },
      transactions: () => transactions,
    };
  }

  nextSlot();

  return {
    slot: () => newest().slot,
    finalized: () => finalizedSlot,
    nextSlot,
    finalizeUpTo(slot) {
      finalizedSlot = Math.max(finalizedSlot, Math.min(slot, newest().slot));
    },
    rollBackTo,
    land(wire) {
      const decoded = decodeTransaction(wire);
      if (!decoded.ok) return { landed: false, error: 'SanitizeFailure' };
      const { message } = decoded.transaction;
      const signature = transactionSignature(wire);
      if (!takes(base58(message.recentBlockhash))) return { landed: false, error: 'BlockhashNotFound' };
      if (processed.has(signature)) return { landed: false, error: 'AlreadyProcessed' };
      const names = message.accountKeys.map(addressOf);
      const payer = names[0] ?? '';
      const paying = accounts.get(payer);
      enterSlot();
      const result = svm.sendVersionedTransaction(wire);
      const failed = result instanceof FailedTransactionMetadata;
      const failure = failed ? transactionErrorOf(result) : undefined;
      const error = failure === undefined ? undefined : JSON.stringify(failure);
      const fee =
        FEE_PER_SIGNATURE * BigInt(message.requiredSignatures) + (message.config?.priorityFee ?? 0n);
      if (failure !== undefined) {
        const charged = paying !== undefined && paying.lamports > fee && landsDespite(failure);
        const left = charged ? { ...paying, lamports: paying.lamports - fee } : paying;
        const changed = read(payer)?.lamports !== left?.lamports;
        if (charged) note(payer, left);
        if (changed) write(payer, left);
        if (!charged) return { landed: false, error };
      } else {
        names.forEach((address, index) => {
          if (isWritable(message, index, 0)) note(address, read(address));
        });
      }
      const meta = failed ? result.meta() : result;
      const block = newest();
      const { slot, transactions } = block;
      if (transactions.length === 0) filled.push(block);
      transactions.push({
        signature,
        slot,
        wire: Uint8Array.from(wire),
        error,
        logs: meta.logs(),
        fee,
        names,
        tokensAfter: new Map(
          names.flatMap((address) => {
            const account = read(address);
            const shown = account && readTokenAccount(account);
            return shown === undefined ? [] : [[address, shown.amount] as const];
          }),
        ),
      });
      processed.set(signature, slot);
      return { landed: true, error };
    },
    simulate(wire) {
      try {
        enterSlot();
        const result = svm.simulateVersionedTransaction(wire);
        const meta = result.meta();
        const error =
          result instanceof FailedTransactionMetadata
            ? JSON.stringify(transactionErrorOf(result))
            : undefined;
        return {
          slot: BigInt(newest().slot),
          error,
          logs: meta.logs(),
          unitsConsumed: Number(meta.computeUnitsConsumed()),
        };
      } catch {
        return {
          slot: BigInt(newest().slot),
          error: JSON.stringify('SanitizeFailure'),
          logs: [],
          unitsConsumed: 0,
        };
      }
    },
    takes,
    lastValidHeight: (blockhash) => (heights.get(blockhash) ?? 0) + BLOCKHASH_LIFETIME,
    at: viewAt,
    dropped: () => forks,
    put(address, account) {
      const stored = { ...account, executable: false };
      note(address, stored);
      write(address, stored);
    },
    rent: (size) => svm.minimumBalanceForRentExemption(BigInt(size)),
    setRent(lamportsPerByte) {
      svm.setRent(new Rent(lamportsPerByte, 1, 0));
    },
    epoch: () => BigInt(Math.floor(newest().slot / SLOTS_PER_EPOCH)),
    reset() {
      for (const address of touched) write(address, undefined);
      svm.setRent(originalRent);
      machines.push(svm);
    },
  };
}
