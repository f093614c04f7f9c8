/** Starts the service's background work, in one process at a time: each part is a loop of its own. */

import type { Keyring } from '../chain/keys.ts';
import { createDraftKeeper } from '../drafts/draft-keeper.ts';
import type { FeePayer } from '../drafts/fee-payer.ts';
import type { ForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import type { NoncePool } from '../drafts/nonces/nonce-pool.ts';
import { createTransferFeeObserver } from '../drafts/observers/transfer-fee-observer.ts';
import type { PurposeParts } from '../drafts/purposes/purpose-behaviour.ts';
import { draftOutcomes } from '../drafts/settling/draft-outcomes.ts';
import { createFulfilment } from '../drafts/settling/fulfilment.ts';
import { createSearches } from '../drafts/settling/searches.ts';
import { createSettler } from '../drafts/settling/settler.ts';
import type { SignalledDrafts } from '../drafts/signalled-drafts.ts';
import type { SlotTime } from '../drafts/slot-time.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { InTrace } from '../kernel/ports/tracing.ts';
import { causeOf } from '../kernel/runtime/execute.ts';
import type { Projections } from '../kernel/runtime/projector.ts';
import { type Repetition, startRepetition } from '../kernel/runtime/repeat.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { type ImageKeeperOptions, startImageKeeping } from '../server/images/image-keeper.ts';

/** Milliseconds between two reads of the chain: while something is to be settled, and while nothing is. */
const SETTLE_PAUSE = 300;
/** Something new kicks the loop where it can; what another process records is found at the latest then. */
const LONGEST_PAUSE = 1_000;
const TIDY_PAUSE = 1_000;
/** Milliseconds between two batches of one round over all tokens. */
const OBSERVE_STRETCH_PAUSE = 500;
const NONCE_FILL_PAUSE = 30_000;

export interface SettlingOptions extends PurposeParts, Pick<SignalledDrafts, 'unseen' | 'unrecorded'> {
  readonly configuration: Configuration;
  readonly store: Pick<EventStore, 'head'>;
  readonly projector: Pick<Projections, 'waitFor' | 'status'>;
  readonly keyring: Keyring;
  readonly nonces: NoncePool;
  readonly foreignAdvances: Pick<ForeignAdvances, 'record'>;
  readonly feePayer: FeePayer;
  readonly images: ImageKeeperOptions['images'];
  /** Whether the fee payer may ask the chain for lamports. */
  readonly airdropsFunds: boolean;
  readonly imagesRemoved: (count: number) => void;
  readonly logger: Logger;
  readonly inTrace: InTrace;
  readonly slotTime: SlotTime;
}

export interface Settling {
  readonly repetitions: { readonly [name: string]: Repetition };
  /** A submission was recorded: the settler sends it at once. */
  kick(): void;
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

export async function startSettling(options: SettlingOptions): Promise<Settling> {
  const { configuration, clock, nonces, feePayer, logger } = options;
  const searches = createSearches({ ...options, logger: logger.child({ part: 'settler' }) });
  const settler = createSettler(
    draftOutcomes({ ...options, settleDeadline: configuration.settleDeadlineMs }),
    {
      ...options,
      searches,
      concluded: () => settling.kick(),
      logger: logger.child({ part: 'settler' }),
      pause: SETTLE_PAUSE,
    },
  );
  const fulfilment = createFulfilment({ ...options, logger: logger.child({ part: 'settler' }) });
  const keeper = createDraftKeeper({ ...options, claimLapse: configuration.claimLapseMs });
  const feeObserver = createTransferFeeObserver(options);
  if (options.airdropsFunds) await feePayer.refill();

  // A read model that does not answer must not delay the drafts that the log names.
  const longestBackoff = () => (options.unseen().length > 0 ? LONGEST_PAUSE : undefined);
  const loop = (name: string, work: () => Promise<number>): Repetition =>
    startRepetition({ name, clock, logger: logger.child({ part: name }), work, longestBackoff });

  const settling = loop('settler', async () => {
    const [settled] = await Promise.allSettled([settler.settle()]);
    await fulfilment.fulfil();
    if (settled.status === 'rejected') throw settled.reason;
    return Math.min(settled.value, LONGEST_PAUSE);
  });
  const repetitions = {
    settler: settling,
    'draft-keeper': loop('draft-keeper', async () => {
      await keeper.tidy();
      return TIDY_PAUSE;
    }),
    'nonce-accounts': loop('nonce-accounts', async () => {
      if (options.airdropsFunds) await feePayer.refill();
      if (configuration.draftLifetimeKind === 'durable-nonce')
        await nonces.fill(configuration.nonceAccountsMin, causeOf('nonce-accounts'));
      return NONCE_FILL_PAUSE;
    }),
    'transfer-fee-observer': loop('transfer-fee-observer', async () => {
      const { roundDone } = await feeObserver.observe();
      return roundDone ? configuration.observePauseMs : OBSERVE_STRETCH_PAUSE;
    }),
    'image-keeper': startImageKeeping({
      ...options,
      unusedFor: configuration.unusedImagesKeptMs,
      logger: logger.child({ part: 'image-keeper' }),
      removed: options.imagesRemoved,
    }),
  };
  return {
    repetitions,
    kick: () => settling.kick(),
    async stop() {
      await Promise.all(Object.values(repetitions).map((each) => each.stop()));
      await Promise.all([settler, fulfilment, searches].map((each) => each.stop()));
    },
  };
}
