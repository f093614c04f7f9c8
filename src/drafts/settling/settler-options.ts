/** What the settler and its effects are made of. */
import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { InTrace } from '../../kernel/ports/tracing.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { Executor } from '../../kernel/runtime/execute.ts';
import type { SlotTime } from '../slot-time.ts';
import type { Searches } from './searches.ts';

export interface SettlerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  /** Drafts that the log names and the read model does not show yet. */
  readonly unseen: () => readonly string[];
  readonly logger: Logger;
  readonly inTrace: InTrace;
  readonly slotTime: SlotTime;
  readonly searches: Searches;
  /** A search has recorded something: what follows from it is due. */
  readonly concluded: () => void;
  /** Milliseconds between two looks at a draft that may change at any moment. */
  readonly pause: number;
}
