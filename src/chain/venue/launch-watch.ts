/** Everything that the service does about launches by itself, from its start on: drafts to their end, pools to their target. */
import type { Chain } from '../../ports/chain.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import type { InTrace } from '../../ports/tracing.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Executor } from '../../runtime/execute.ts';
import { type Repetition, startRepetition } from '../../runtime/repeat.ts';
import { createLaunchSettler } from './launch-settler.ts';
import { createPoolWatcher, type LaunchFiguresNow } from './pool-watcher.ts';

/** Milliseconds between two looks at the chain while drafts live, and at the read model while none does. */
const SETTLE_PAUSE = 500;
const IDLE_PAUSE = 1_000;
/** Between two looks at the pools: well within what figures are good for. */
const POOL_PAUSE = 1_000;

export interface LaunchWatch {
  readonly figures: LaunchFiguresNow;
  readonly repetitions: { readonly [name: string]: Repetition };
  /** Looks at launch drafts at once. */
  kick(): void;
  stop(): Promise<void>;
}

/** Resolves when the pools have been looked at once, or could not be: that alone keeps nobody from starting. */
export async function startLaunchWatch(options: {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  /** Called after anything was recorded about a draft. */
  readonly changed: (transactionId: string) => void;
  readonly reportOf: (part: string) => (message: string, details: object) => void;
  readonly inTrace: InTrace;
}): Promise<LaunchWatch> {
  const { clock, reportOf } = options;
  const settler = createLaunchSettler({ ...options, report: reportOf('launch-settler') });
  const watcher = createPoolWatcher({ ...options, report: reportOf('pool-watcher') });
  await watcher.watch().catch((error: unknown) =>
    reportOf('pool-watcher')('launched pools could not be looked at before the start', {
      error: error instanceof Error ? error.message : String(error),
    }),
  );
  const settling = startRepetition({
    name: 'launch-settler',
    clock,
    report: reportOf('launch-settler'),
    work: async () => ((await settler.settle()).waiting > 0 ? SETTLE_PAUSE : IDLE_PAUSE),
  });
  const watching = startRepetition({
    name: 'pool-watcher',
    clock,
    report: reportOf('pool-watcher'),
    work: async () => {
      await watcher.watch();
      return POOL_PAUSE;
    },
  });
  return {
    figures: watcher.figures,
    repetitions: { 'launch-settler': settling, 'pool-watcher': watching },
    kick: () => settling.kick(),
    async stop() {
      await Promise.all([settling.stop(), watching.stop()]);
    },
  };
}
