/** Asks a node for what it shows now. Every answer is judged by the slot that it names: one from before what must be reached is none. */
import { type AccountsAtSlot, ChainBehind, type Commitment } from '../../kernel/ports/chain.ts';
import { asChainError, type JsonRpc } from './json-rpc.ts';
import { accountIn, atSlot, epochIn, oneForEach, statusIn } from './node-answers.ts';
import { latestOf, type SeenSlots } from './seen-slots.ts';

export const ACCOUNTS_PER_CALL = 100;
export const STATUSES_PER_CALL = 256;

export function createNodeReads(rpc: JsonRpc, seen: SeenSlots) {
  const { host } = rpc;

  /** The result of the call; rejects in the words of the port. */
  async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      throw asChainError(error, host);
    }
  }

  /** The slot that an answer must have reached. */
  function leastOf(commitment: Commitment, atLeastSlot?: bigint): bigint | undefined {
    return latestOf(seen.least(commitment), atLeastSlot);
  }

  /** Nodes, and caches before them, may ignore `minContextSlot`. @throws ChainBehind */
  function requireReached(slot: bigint, least: bigint | undefined, method: string): void {
    if (least !== undefined && slot < least)
      throw new ChainBehind(
        `the chain node at ${host} is behind: its answer to ${method} is of slot ${slot}, and slot ${least} was asked for`,
      );
  }

  /** An answer of a slot that is not before any that the node has answered with. */
  async function valueNow(
    method: string,
    params: readonly unknown[],
    commitment: Commitment,
    config: { readonly [name: string]: unknown; readonly atLeastSlot?: bigint | undefined } = {},
  ) {
    const { atLeastSlot, ...rest } = config;
    const least = leastOf(commitment, atLeastSlot);
    const answer = atSlot(await rpc.call(method, [...params, { ...rest, commitment, ...noEarlier(least) }]));
    requireReached(answer.slot, least, method);
    seen.saw(commitment, answer.slot);
    return answer;
  }

  /** At most `ACCOUNTS_PER_CALL`. */
  async function accountsNow(
    addresses: readonly string[],
    commitment: Commitment,
    atLeastSlot: bigint | undefined,
    mostData?: number,
  ): Promise<AccountsAtSlot> {
    const slice = mostData === undefined ? {} : { dataSlice: { offset: 0, length: mostData } };
    const config = { encoding: 'base64', ...slice, atLeastSlot };
    const { slot, value } = await valueNow('getMultipleAccounts', [addresses], commitment, config);
    const accounts = oneForEach(addresses, value).map(accountIn);
    // Some nodes ignore the slice.
    return {
      slot,
      accounts: accounts.map(
        (account) => account && { ...account, data: account.data.subarray(0, mostData) },
      ),
    };
  }

  async function epochNow(commitment: Commitment, atLeastSlot?: bigint) {
    const least = leastOf(commitment, atLeastSlot);
    const info = epochIn(await rpc.call('getEpochInfo', [{ commitment, ...noEarlier(least) }]));
    requireReached(info.slot, least, 'getEpochInfo');
    seen.saw(commitment, info.slot);
    return info;
  }

  /** At most `STATUSES_PER_CALL`. */
  async function statusesNow(signatures: readonly string[]) {
    const least = leastOf('confirmed');
    const { slot, value } = atSlot(
      await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]),
    );
    requireReached(slot, least, 'getSignatureStatuses');
    return oneForEach(signatures, value).map(statusIn);
  }

  return { ask, leastOf, requireReached, valueNow, accountsNow, epochNow, statusesNow };
}

/** As a part of a call's configuration. */
export function noEarlier(least: bigint | undefined): { readonly minContextSlot?: number } {
  return least === undefined ? {} : { minContextSlot: Number(least) };
}

/** What `ask` gives for all of them, a call for so many at a time. */
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
