/**
 * What happens on the chain while somebody uses it: slots pass, finality lags, forks take blocks back, transactions are
 * lost, late, doubled and out of order, and an adversary keeps everything that was ever signed and sends it again.
 */
import { base58, decodeTransaction } from 'levy-solana-wire';
import type { ForkingLedger } from './forking-ledger.ts';
import type { Random } from './random.ts';
import type { Weather } from './weather.ts';

export interface FaultyNetwork {
  weather: Weather;
  readonly ledger: ForkingLedger;
  /** Lets slots pass. */
  pass(slots: number): void;
  send(wire: Uint8Array): void;
  /** Asked once a slot for what a stranger does in it, if anything. */
  strangers: () => void;
  /** Everything that was sent, the newest last. */
  readonly seen: readonly Uint8Array[];
  readonly told: { forks: number; replays: number; lost: number; landed: number; failed: number };
}

interface Waiting {
  readonly wire: Uint8Array;
  readonly at: number;
}

/** Beyond the life of a blockhash, so that some are too late. */
const LATEST = 170;

export function createFaultyNetwork(ledger: ForkingLedger, random: Random, weather: Weather): FaultyNetwork {
  const draws = random.of('network');
  let waiting: Waiting[] = [];
  let kept: { readonly wire: Uint8Array; readonly blockhash: string }[] = [];
  const seen: Uint8Array[] = [];
  let lag = 1;
  const told = { forks: 0, replays: 0, lost: 0, landed: 0, failed: 0 };

  function slot(): void {
    if (draws.chance(network.weather.fork) && ledger.slot() > ledger.finalized()) {
      const gone = ledger.rollBackTo(draws.between(ledger.finalized(), ledger.slot() - 1));
      if (gone.length > 0) told.forks += 1;
      // Some land on the new fork as well, in another order; others only if somebody sends them again.
      for (const { wire } of gone)
        if (!draws.chance(0.3)) waiting.push({ wire, at: ledger.slot() + draws.between(1, 6) });
    }
    ledger.nextSlot();
    const now = ledger.slot();
    if (draws.chance(network.weather.strangers)) network.strangers();
    if (draws.chance(network.weather.replay)) {
      kept = kept.filter(({ blockhash }) => ledger.takes(blockhash));
      if (kept.length > 0) {
        told.replays += 1;
        waiting.push({ wire: draws.pick(kept).wire, at: now });
      }
    }
    const due = draws.shuffled(waiting.filter(({ at }) => at <= now));
    waiting = waiting.filter(({ at }) => at > now);
    for (const { wire } of due) {
      const { landed, error } = ledger.land(wire);
      if (landed) told[error === undefined ? 'landed' : 'failed'] += 1;
    }
    if (draws.chance(0.1) || lag > network.weather.maxLag) lag = draws.between(1, network.weather.maxLag);
    ledger.finalizeUpTo(now - lag);
  }

  const network: FaultyNetwork = {
    weather,
    ledger,
    told,
    seen,
    strangers: () => {},
    pass(slots) {
      for (let count = 0; count < slots; count += 1) slot();
    },
    send(wire) {
      const { lost, late, doubled } = network.weather;
      const decoded = decodeTransaction(wire);
      if (!decoded.ok) throw new TypeError('what is sent is no transaction');
      seen.push(wire);
      kept.push({ wire, blockhash: base58(decoded.transaction.message.recentBlockhash) });
      const copies = draws.chance(doubled) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        if (draws.chance(lost)) {
          told.lost += 1;
          continue;
        }
        const delay = draws.chance(late) ? draws.between(4, LATEST) : draws.between(1, 3);
        waiting.push({ wire, at: ledger.slot() + delay });
      }
    },
  };
  return network;
}
