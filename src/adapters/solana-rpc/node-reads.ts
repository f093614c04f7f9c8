/** Reads the current state from a node. Rejects responses from before the required slot. */
import { type AccountsAtSlot, ChainBehind, type Commitment } from '../../kernel/ports/chain.ts';
import { type JsonRpc, NodeRefusal } from './json-rpc.ts';
import { accountIn, atSlot, epochIn, oneForEach, statusIn } from './node-answers.ts';

export const ACCOUNTS_PER_CALL = 100;
export const STATUSES_PER_CALL = 256;

export function createNodeReads(rpc: JsonRpc, seen: SlotsByCommitment | undefined) {
  const { host } = rpc;

  /** Minimum slot of a response. */
  function minOf(commitment: Commitment, atLeastSlot?: bigint): bigint | undefined {
    return latestOf(seen?.get(commitment), atLeastSlot);
  }

  function saw(commitment: Commitment, slot: bigint): void {
    if (slot > (seen?.get(commitment) ?? -1n)) seen?.set(commitment, slot);
  }

  /** Nodes and caches in front of them may ignore `minContextSlot`. @throws ChainBehind */
  function requireReached(slot: bigint, least: bigint | undefined, method: string): void {
    if (least !== undefined && slot < least)
      throw new ChainBehind(
        `the chain node at ${host} is behind: its response to ${method} is from slot ${slot}; slot ${least} is required`,
      );
  }

  /** Calls a method whose response states its slot, which must not be before the required one. */
  async function valueNow(
    method: string,
    params: readonly unknown[],
    commitment: Commitment,
    config: { readonly [name: string]: unknown; readonly atLeastSlot?: bigint | undefined } = {},
  ) {
    const { atLeastSlot, ...rest } = config;
    const least = minOf(commitment, atLeastSlot);
    const answer = atSlot(await rpc.call(method, [...params, { ...rest, commitment, ...noEarlier(least) }]));
    requireReached(answer.slot, least, method);
    saw(commitment, answer.slot);
    return answer;
  }

  /** At most `ACCOUNTS_PER_CALL` addresses. */
  async function accountsNow(
    addresses: readonly string[],
    commitment: Commitment,
    atLeastSlot: bigint | undefined,
    maxData?: number,
  ): Promise<AccountsAtSlot> {
    const slice = maxData === undefined ? {} : { dataSlice: { offset: 0, length: maxData } };
    const config = { encoding: 'base64', ...slice, atLeastSlot };
    const { slot, value } = await valueNow('getMultipleAccounts', [addresses], commitment, config);
    const accounts = oneForEach(addresses, value).map(accountIn);
    // Some nodes ignore `dataSlice`.
    return {
      slot,
      accounts: accounts.map((account) => account && { ...account, data: account.data.subarray(0, maxData) }),
    };
  }

  async function epochNow(commitment: Commitment, atLeastSlot?: bigint) {
    const least = minOf(commitment, atLeastSlot);
    const info = epochIn(await rpc.call('getEpochInfo', [{ commitment, ...noEarlier(least) }]));
    requireReached(info.slot, least, 'getEpochInfo');
    saw(commitment, info.slot);
    return info;
  }

  /** At most `STATUSES_PER_CALL` signatures. */
  async function statusesNow(signatures: readonly string[]) {
    const least = minOf('confirmed');
    const { slot, value } = atSlot(
      await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]),
    );
    requireReached(slot, least, 'getSignatureStatuses');
    return oneForEach(signatures, value).map(statusIn);
  }

  return { leastOf: minOf, saw, requireReached, valueNow, accountsNow, epochNow, statusesNow };
}

/** Part of a call's configuration that requires a minimum slot. */
export function noEarlier(least: bigint | undefined): { readonly minContextSlot?: number } {
  return least === undefined ? {} : { minContextSlot: Number(least) };
}

/** Splits a request into calls of at most `most` items, and concatenates the results. */
export async function inCalls<Asked, Answer>(
  all: readonly Asked[],
  most: number,
  ask: (some: readonly Asked[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const found: Answer[] = [];
  for (let from = 0; from < all.length; from += most)
    found.push(...(await ask(all.slice(from, from + most))));
  return found;
}

/**
 * Newest slots that any node of a cluster has returned, so that a node that is behind cannot make the service go back in
 * time.
 *
 * A single node has no such record: its address may lead to several nodes, of which the newest would delay all reads from the
 * other nodes. Reads that need a minimum slot state it.
 */
export type SlotsByCommitment = Map<Commitment, bigint>;

/** Undefined if all slots are undefined. */
export function latestOf(...slots: readonly (bigint | undefined)[]): bigint | undefined {
  return slots.reduce(
    (latest, slot) => (slot === undefined || (latest ?? -1n) > slot ? latest : slot),
    undefined,
  );
}

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Number of performance samples; each covers a minute. */
const SAMPLES = 5;

/** Reads the node's performance samples. Undefined while the chain is too young, and if the node has none. */
export async function slotMillisecondsOf(rpc: Call): Promise<number | undefined> {
  const answer = await rpc('getRecentPerformanceSamples', [SAMPLES]).catch((error: unknown) => {
    if (error instanceof NodeRefusal) return undefined;
    throw error;
  });
  if (!Array.isArray(answer)) return undefined;
  let [slots, seconds] = [0, 0];
  for (const sample of answer) {
    const { numSlots, samplePeriodSecs } = Object(sample) as {
      numSlots?: unknown;
      samplePeriodSecs?: unknown;
    };
    if (typeof numSlots !== 'number' || typeof samplePeriodSecs !== 'number') continue;
    slots += numSlots;
    seconds += samplePeriodSecs;
  }
  return slots > 0 && seconds > 0 ? (seconds * 1_000) / slots : undefined;
}
