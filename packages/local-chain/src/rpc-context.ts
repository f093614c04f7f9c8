/** Context of the methods: the chain, and the envelope for values that belong to a slot. */
import type { Chain } from './chain.ts';
import type { Json } from './json.ts';
import { blockNotAvailable, slotNotReached, slotSkipped } from './rpc-error.ts';
import { type Config, commitmentOf, optionalWholeNumber, type Params } from './rpc-params.ts';
import { type StateAt, stateOf } from './state-at.ts';

/** The version of the node's interface that this chain follows. */
export const API_VERSION = '3.0.0';

/** A method of the JSON-RPC interface. One whose answer may be long works in slices, and answers with a promise. */
export type Method = (chain: Chain, params: Params) => Json | Promise<Json>;
export type Methods = Readonly<Record<string, Method>>;

/** A value with the slot that it belongs to. */
export function withContext(slot: number, value: Json): Json {
  return { context: { apiVersion: API_VERSION, slot }, value };
}

/**
 * The newest slot of the commitment that the configuration names.
 * @throws RpcError if the call asks for a slot that its commitment has not reached.
 */
export function reachedSlot({ clock }: Chain, config: Config): number {
  const newest = clock.slot(commitmentOf(config));
  const wanted = optionalWholeNumber(config.minContextSlot, 'minContextSlot');
  if (wanted !== undefined && wanted > newest) throw slotNotReached(newest);
  return newest;
}

/** @throws RpcError as `reachedSlot` does. */
export function reachedState(chain: Chain, config: Config): StateAt {
  reachedSlot(chain, config);
  return stateOf(chain, config);
}

/** @throws RpcError if the slot is later than `newest`, or was skipped. */
export function requireBlock({ clock }: Chain, slot: number, newest: number): void {
  if (slot > newest) throw blockNotAvailable(slot);
  if (!clock.hasBlock(slot)) throw slotSkipped(slot);
}
