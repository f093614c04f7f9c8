/** Starts everything that the service does by itself, without being asked: each part a loop of its own. */
import { createDraftKeeper } from '../chain/draft-keeper.ts';
import type { FeePayer } from '../chain/fee-payer.ts';
import { createFulfilment } from '../chain/fulfilment.ts';
import type { Keyring } from '../chain/keys.ts';
import type { NoncePool } from '../chain/nonce-pool.ts';
import type { PurposeParts } from '../chain/purposes/define-purpose.ts';
import { createSettler } from '../chain/settler.ts';
import { createTransferFeeObserver } from '../chain/transfer-fee-observer.ts';
import { startLaunchWatch } from '../chain/venue/launch-watch.ts';
import type { LaunchFiguresNow } from '../chain/venue/pool-watcher.ts';
import type { Configuration } from '../config.ts';
import { startImageKeeping } from '../images/image-keeper.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { InTrace } from '../ports/tracing.ts';
import { causeOf } from '../runtime/execute.ts';
import type { Projector } from '../runtime/projector.ts';
import { type Repetition, startRepetition } from '../runtime/repeat.ts';

/** Milliseconds between two looks at the chain while something is to be settled, and while nothing is. */
const SETTLE_PAUSE = 300;
const IDLE_PAUSE = 1_000;
const TIDY_PAUSE = 1_000;
/** Between two stretches of one round over all tokens. */
const OBSERVE_STRETCH_PAUSE = 500;
const NONCE_FILL_PAUSE = 30_000;

export interface WorkerOptions extends PurposeParts {
  readonly configuration: Configuration;
  readonly store: EventStore;
  readonly projector: Projector;
  readonly keyring: Keyring;
  readonly nonces: NoncePool;
  readonly feePayer: FeePayer;
  readonly images: ImageStore;
  /** The chain gives lamports away, and the fee payer may ask for them. */
  readonly isChainFree: boolean;
  /** Called after anything was recorded about a draft. */
  readonly changed: (transactionId: string) => void;
  readonly imagesRemoved: (count: number) => void;
  readonly reportOf: (part: string) => (message: string, details: object) => void;
  readonly inTrace: InTrace;
}

export interface Workers {
  /** How launched pools stand, as the one who watches them saw it last. */
  readonly launches: LaunchFiguresNow;
  readonly repetitions: { readonly [name: string]: Repetition };
  /** A submission was recorded: whoever carries it on looks at once, as soon as it can be seen. */
  expectSubmission(): void;
  stop(): Promise<void>;
}

export async function startWorkers(options: WorkerOptions): Promise<Workers> {
  const { configuration, store, projector, clock, nonces, feePayer, reportOf } = options;
  const settler = createSettler({ ...options, report: reportOf('settler') });
  const fulfilment = createFulfilment({ ...options, report: reportOf('settler') });
  const keeper = createDraftKeeper({ ...options, claimLapse: configuration.claimLapseMs });
  const feeObserver = createTransferFeeObserver(options);
  if (options.isChainFree) await feePayer.refill();

  const loop = (name: string, work: () => Promise<number>): Repetition =>
    startRepetition({ name, clock, report: reportOf(name), work });

  const launchWatch = await startLaunchWatch(options);
  const settling = loop('settler', async () => {
    const [settled] = await Promise.allSettled([settler.settle()]);
    await fulfilment.fulfil();
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value.waiting > 0 ? SETTLE_PAUSE : IDLE_PAUSE;
  });
  const tidying = loop('draft-keeper', async () => {
    await keeper.tidy();
    return TIDY_PAUSE;
  });
  const filling = loop('nonce-accounts', async () => {
    if (options.isChainFree) await feePayer.refill();
    await nonces.fill(configuration.nonceAccountsMin, causeOf('nonce-accounts'));
    return NONCE_FILL_PAUSE;
  });
  const observing = loop('transfer-fee-observer', async () => {
    const { roundDone } = await feeObserver.observe();
    return roundDone ? configuration.observePauseMs : OBSERVE_STRETCH_PAUSE;
  });
  const imageKeeping = startImageKeeping({
    ...options,
    unusedFor: configuration.unusedImagesKeptMs,
    report: reportOf('image-keeper'),
    removed: options.imagesRemoved,
  });

  const kick = () => {
    settling.kick();
    launchWatch.kick();
  };
  // They find their work in a read model, which may be a moment behind.
  const kickWhenSeen = async () => {
    await projector.waitFor(await store.head(), SETTLE_PAUSE);
    kick();
  };

  return {
    launches: launchWatch.figures,
    repetitions: {
      settler: settling,
      'draft-keeper': tidying,
      'nonce-accounts': filling,
      'image-keeper': imageKeeping,
      'transfer-fee-observer': observing,
      ...launchWatch.repetitions,
    },
    expectSubmission: () => void kickWhenSeen().catch(kick),
    async stop() {
      const own = [settling, tidying, filling, observing, imageKeeping];
      await Promise.all([launchWatch.stop(), ...own.map((each) => each.stop())]);
    },
  };
}
