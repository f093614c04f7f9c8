/** Subscriptions to a signature, an account, or the slots. Each is polled and sends what is new. */
import { encodeAccount, encodingOf, mintDecimals, sliceOf } from './account-encoding.ts';
import type { Chain } from './chain.ts';
import type { Json } from './json.ts';
import { RawJson } from './json.ts';
import { withContext } from './rpc-context.ts';
import { addressBytes, commitmentOf, configAt, type Params, signatureBytes } from './rpc-params.ts';
import { stateOf } from './state-at.ts';
import { sameAccount } from './transaction-meta.ts';

export interface Subscription {
  /** What is new since the last look. Nothing comes after `isOver`. */
  look(): { readonly results: readonly Json[]; readonly isOver: boolean };
}

type Subscribe = (chain: Chain, params: Params) => Subscription;

/** How many slots are sent one by one; after a longer pause only the last ones are. */
const MOST_SLOTS = 100;

/** Told once, when the transaction has reached the commitment. */
function toSignature(chain: Chain, params: Params): Subscription {
  const signature = signatureBytes(params[0]);
  const commitment = commitmentOf(configAt(params, 1));
  return {
    look() {
      const found = chain.ledger.landing(signature);
      const reached = chain.clock.slot(commitment);
      if (found === undefined || found.slot > reached) return { results: [], isOver: false };
      const err = found.error === null ? null : new RawJson(found.error);
      return { results: [withContext(found.slot, { err })], isOver: true };
    },
  };
}

function toAccount(chain: Chain, params: Params): Subscription {
  const address = addressBytes(params[0]);
  const config = configAt(params, 1);
  const [encoding, slice] = [encodingOf(config), sliceOf(config)];
  let before = stateOf(chain, config).account(address);
  return {
    look() {
      const state = stateOf(chain, config);
      const account = state.account(address);
      if (sameAccount(before, account)) return { results: [], isOver: false };
      before = account;
      // A node shows a closed account as an empty one of the system program.
      const shown = account ?? CLOSED;
      const value = encodeAccount(shown, encoding, slice, mintDecimals(state));
      return { results: [withContext(state.slot, value)], isOver: false };
    },
  };
}

const CLOSED = { lamports: 0n, owner: new Uint8Array(32), executable: false, data: new Uint8Array() };

function toSlots({ clock }: Chain): Subscription {
  let told = clock.slot();
  return {
    look() {
      const newest = clock.slot();
      const results: Json[] = [];
      for (let slot = Math.max(told + 1, newest - MOST_SLOTS); slot <= newest; slot += 1) {
        if (!clock.hasBlock(slot)) continue;
        results.push({ parent: told, root: clock.finalIn(slot), slot });
        told = slot;
      }
      return { results, isOver: false };
    },
  };
}

/** By the first part of the methods' names: `signatureSubscribe`, `signatureUnsubscribe`, `signatureNotification`. */
export const subscriptionMethods: ReadonlyMap<string, Subscribe> = new Map([
  ['signature', toSignature],
  ['account', toAccount],
  ['slot', toSlots],
]);
