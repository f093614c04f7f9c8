/** Methods about history: statuses, transactions, signatures of an address, blocks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { base58 } from 'levy-solana-wire';
import type { Chain } from './chain.ts';
import { FINALITY_DEPTH } from './clock.ts';
import { encodeJson, type Json, LongList, RawJson } from './json.ts';
import type { RecordedLanding } from './ledger.ts';
import { memosIn } from './memos.ts';
import { type Methods, reachedSlot, requireBlock, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import {
  addressBytes,
  type Commitment,
  type Config,
  commitmentOf,
  configAt,
  optionalWholeNumber,
  signatureBytes,
  stringList,
  wholeNumber,
} from './rpc-params.ts';
import { encodeTransaction, formOf } from './transaction-encoding.ts';

const MAXIMUM_STATUSES = 256;
const MAXIMUM_SIGNATURES = 1_000;
const MAXIMUM_BLOCKS = 500_000;
/** Number of recent blocks whose statuses a node caches; for older ones the caller must request a history search. */
const STATUS_CACHE_BLOCKS = 300 + FINALITY_DEPTH;

export const historyMethods: Methods = {
  getSignatureStatuses(chain, params) {
    const signatures = stringList(params[0], MAXIMUM_STATUSES).map(signatureBytes);
    const searchHistory = configAt(params, 1).searchTransactionHistory === true;
    const value = signatures.map((signature): Json => {
      const found = chain.ledger.landing(signature);
      if (found === undefined) return null;
      const confirmations = blocksOnTop(chain, found);
      if (!searchHistory && confirmations > STATUS_CACHE_BLOCKS) return null;
      const err = errorOf(found);
      const final = isFinal(chain, found);
      return {
        slot: found.slot,
        confirmations: final ? null : confirmations,
        err,
        status: found.error === null ? { Ok: null } : { Err: err },
        confirmationStatus: final ? 'finalized' : 'confirmed',
      };
    });
    return withContext(chain.clock.slot(), value);
  },

  getSignaturesForAddress(chain, params) {
    const address = addressBytes(params[0]);
    const config = configAt(params, 1);
    landedCommitment(config);
    const upToSlot = reachedSlot(chain, config);
    const limit = optionalWholeNumber(config.limit, 'limit') ?? MAXIMUM_SIGNATURES;
    if (limit === 0 || limit > MAXIMUM_SIGNATURES) {
      throw invalidParams(`Invalid limit; max ${MAXIMUM_SIGNATURES}`);
    }
    const before = sequenceOf(chain, config.before);
    // Nothing is older than a transaction that does not exist.
    if (before === 'unknown') return [];
    const until = sequenceOf(chain, config.until);
    return chain.ledger
      .landingsOf(address, {
        before: before ?? Number.MAX_SAFE_INTEGER,
        after: until === undefined || until === 'unknown' ? 0 : until,
        upToSlot,
        limit,
      })
      .map((found) => ({
        signature: base58(found.signature),
        slot: found.slot,
        err: errorOf(found),
        memo: memosIn(found.wire),
        blockTime: found.blockTime,
        confirmationStatus: isFinal(chain, found) ? 'finalized' : 'confirmed',
      }));
  },

  getTransaction(chain, params) {
    const signature = signatureBytes(params[0]);
    const config = encodingConfigAt(params, 1);
    const commitment = landedCommitment(config);
    const form = formOf(config);
    const found = chain.ledger.transaction(signature);
    if (found === undefined || found.slot > chain.clock.slot(commitment)) return null;
    return { blockTime: found.blockTime, slot: found.slot, ...encodeTransaction(found, form, config) };
  },

  async getBlock(chain, params) {
    const slot = wholeNumber(params[0], 'slot');
    const config = encodingConfigAt(params, 1);
    requireBlock(chain, slot, chain.clock.slot(landedCommitment(config)));
    const height = chain.clock.height(slot);
    const parent = chain.clock.slotOfHeight(Math.max(0, height - 1));
    return {
      blockHeight: height,
      blockTime: chain.clock.blockTime(slot),
      blockhash: chain.clock.blockhashText(slot),
      parentSlot: parent,
      previousBlockhash: chain.clock.blockhashText(parent),
      ...(await blockTransactions(chain, slot, config)),
      rewards: config.rewards === false ? undefined : [],
    };
  },

  getBlocks(chain, params) {
    const start = wholeNumber(params[0], 'startSlot');
    const hasEnd = typeof params[1] === 'number';
    const commitment = landedCommitment(configAt(params, hasEnd || params[1] === null ? 2 : 1));
    const newest = chain.clock.slot(commitment);
    const end = Math.min(hasEnd ? wholeNumber(params[1], 'endSlot') : newest, newest);
    if (end - start > MAXIMUM_BLOCKS) throw invalidParams(`Slot range too large; max ${MAXIMUM_BLOCKS}`);
    return Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => start + index).filter((slot) =>
      chain.clock.hasBlock(slot),
    );
  },
};

async function blockTransactions(
  chain: Chain,
  slot: number,
  config: Config,
): Promise<{ readonly [key: string]: Json }> {
  const details = config.transactionDetails ?? 'full';
  if (details === 'none') return {};
  const landings = chain.ledger.landingsInSlot(slot);
  if (details === 'signatures') return { signatures: landings.map(({ signature }) => base58(signature)) };
  if (details !== 'full') {
    throw invalidParams(`transactionDetails \`${String(details)}\` is not supported here`);
  }
  const form = formOf(config);
  const transactions: string[] = [];
  for (const { signature } of landings) {
    const found = chain.ledger.transaction(signature);
    if (found !== undefined) transactions.push(encodeJson(encodeTransaction(found, form, config)));
    // Yields to other calls, because a block may contain megabytes.
    await nextTurn();
  }
  return { transactions: new LongList(transactions) };
}

/** Old clients send only the encoding instead of the configuration. */
function encodingConfigAt(params: readonly unknown[], index: number): Config {
  const value = params[index];
  return typeof value === 'string' ? { encoding: value } : configAt(params, index);
}

function landedCommitment(config: Config): Commitment {
  const commitment = commitmentOf(config);
  if (commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return commitment;
}

function sequenceOf(chain: Chain, signature: unknown): number | 'unknown' | undefined {
  if (signature === undefined || signature === null) return undefined;
  return chain.ledger.landing(signatureBytes(signature))?.sequence ?? 'unknown';
}

function errorOf(found: RecordedLanding): Json {
  return found.error === null ? null : new RawJson(found.error);
}

function isFinal(chain: Chain, found: RecordedLanding): boolean {
  return blocksOnTop(chain, found) >= FINALITY_DEPTH;
}

/** Counts blocks, because skipped slots do not contribute to finality. */
function blocksOnTop({ clock }: Chain, found: RecordedLanding): number {
  return clock.height(clock.slot()) - clock.height(found.slot);
}
