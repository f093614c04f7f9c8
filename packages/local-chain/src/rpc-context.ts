/** Context of the methods: the chain, and the envelope for values of a slot. */
import type { Chain } from './chain.ts';
import type { Json } from './json.ts';
import { blockNotAvailable, slotNotReached, slotSkipped } from './rpc-error.ts';
import { type Config, commitmentOf, optionalWholeNumber, type Params } from './rpc-params.ts';
import { type StateAt, stateOf } from './state-at.ts';

/** Version of the node interface that this chain implements. */
export const API_VERSION = '3.0.0';

/** JSON-RPC method. A method with long responses works in slices, and returns a promise. */
export type Method = (chain: Chain, params: Params) => Json | Promise<Json>;
export type Methods = Readonly<Record<string, Method>>;

/** Wraps a value with its slot. */
export function withContext(slot: number, value: Json): Json {
  return { context: { apiVersion: API_VERSION, slot }, value };
}

/**
 * Newest slot of the configured commitment.
 * @throws RpcError if the call requires a slot that this commitment has not reached.
 */
export function reachedSlot({ clock }: Chain, config: Config): number {
  const newest = clock.slot(commitmentOf(config));
  const wanted = optionalWholeNumber(config.minContextSlot, 'minContextSlot');
  if (wanted !== undefined && wanted > newest) throw slotNotReached(newest);
  return newest;
}

/** @throws RpcError like `reachedSlot`. */
export function reachedState(chain: Chain, config: Config): StateAt {
  reachedSlot(chain, config);
  return stateOf(chain, config);
}

/** @throws RpcError if the slot is later than `newest`, or was skipped. */
export function requireBlock({ clock }: Chain, slot: number, newest: number): void {
  if (slot > newest) throw blockNotAvailable(slot);
  if (!clock.hasBlock(slot)) throw slotSkipped(slot);
}
