/** Node that an audit reads, with bounded concurrency and with retries while the node limits the rate of calls. */
import pLimit from 'p-limit';
import { type Chain, ChainAnswerInvalid, ChainBusy, ChainUnavailable } from '../../../kernel/ports/chain.ts';
import { retry } from '../../../kernel/runtime/retry.ts';
import { wrapCalls } from '../../../kernel/runtime/wrap-calls.ts';
import type { Place } from '../finding.ts';
import type { CheckNotes } from '../report.ts';
import type { AuditedChain } from './landed-transactions.ts';

export interface AuditNode
  extends AuditedChain,
    Pick<Chain, 'genesisHash' | 'epoch' | 'firstSlot' | 'statuses'> {
  /** Host name without path and query, which may contain API keys. */
  readonly host: string;
}

const CONCURRENT_CALLS = 8;
/** Milliseconds for which a rate-limited call is retried. */
const PATIENCE = 600_000;
/** Milliseconds before the first retry, unless the node states another time; doubled for each later one. */
const FIRST_PAUSE = 500;
const MAX_PAUSE = 30_000;

/** `url`: address of the node that `chain` reads. */
export function createAuditNode(url: string, chain: Chain): AuditNode {
  const { host } = new URL(url);
  const limit = pLimit(CONCURRENT_CALLS);
  return { ...wrapCalls(chain, (_method, call) => limit(() => retryWhileBusy(call))), host };
}

async function retryWhileBusy<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const since = performance.now();
  return retry(call, {
    pauses: (earlier, error) =>
      Math.min(MAX_PAUSE, (error instanceof ChainBusy && error.askAfter) || FIRST_PAUSE * 2 ** earlier),
    failed(error) {
      if (!(error instanceof ChainBusy) || performance.now() - since > PATIENCE) throw error;
    },
  });
}

/** True if the node does not respond, or responds with an error or an invalid response. */
export function isUnavailable(error: unknown): error is ChainUnavailable | ChainAnswerInvalid {
  return error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid;
}

/** Reports the work as not checked if the node is unavailable. */
export async function unlessUnavailable(
  notes: Pick<CheckNotes, 'unchecked'>,
  what: string,
  place: Place,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    notes.unchecked(what, error.message, place);
  }
}
