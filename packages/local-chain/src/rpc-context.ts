/** What every method needs to answer: the chain, and the envelope for values that belong to a slot. */
import type { Chain } from './chain.ts';
import type { Json } from './json.ts';
import { blockNotAvailable, slotNotReached, slotSkipped } from './rpc-error.ts';
import {
  type Commitment,
  type Config,
  commitmentOf,
  optionalWholeNumber,
  type Params,
} from './rpc-params.ts';

/** The version of the node's interface that this chain follows. */
export const API_VERSION = '3.0.0';

/** A method of the JSON-RPC interface. Account reads return the latest state at every commitment. */
export type Method = (chain: Chain, params: Params) => Json;
export type Methods = Readonly<Record<string, Method>>;

export function withContext(chain: Chain, value: Json, commitment: Commitment = 'confirmed'): Json {
  return { context: { apiVersion: API_VERSION, slot: chain.clock.slot(commitment) }, value };
}

/** @throws RpcError if the call asks for a slot that its commitment has not reached. */
export function requireReached({ clock }: Chain, config: Config): void {
  const newest = clock.slot(commitmentOf(config));
  const wanted = optionalWholeNumber(config.minContextSlot, 'minContextSlot');
  if (wanted !== undefined && wanted > newest) throw slotNotReached(newest);
}

/** @throws RpcError if the slot is later than `newest`, or was skipped. */
export function requireBlock({ clock }: Chain, slot: number, newest: number): void {
  if (slot > newest) throw blockNotAvailable(slot);
  if (!clock.hasBlock(slot)) throw slotSkipped(slot);
}
