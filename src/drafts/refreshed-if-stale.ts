/** A repeated create-unsigned gives the draft that it made, on fresh bytes once those that it gave are old. */
import type { Position } from '../kernel/ports/event-store.ts';
import { type Cause, causeOf } from '../kernel/runtime/execute.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { draft } from '../streams/draft.ts';
import { type IssuedDraft, isRefreshable } from '../streams/draft-events.ts';
import { issuedOf } from '../streams/draft-state.ts';
import { decideRefresh, freshBlockhash } from './refresh-draft.ts';
import type { DraftServices } from './services.ts';

/** Milliseconds after the issue in which the bytes are as good as new. */
const YOUNG = 2_000;
/** Half of the blocks in which a blockhash is valid. */
const FEW_BLOCKS = 75n;

interface Context {
  readonly services: DraftServices;
  readonly cause: Cause;
  readonly observed: (position: Position) => void;
}

/** A draft that is submitted or over stays as it is. */
export async function refreshedIfStale(first: IssuedDraft, context: Context): Promise<IssuedDraft> {
  const { services, observed } = context;
  const { executor, chain, clock, policy, slotTime } = services;
  const { transactionId } = first;
  if (!isRefreshable(first)) return first;
  const now = clock.now();
  if (now.getTime() < Date.parse(first.expiresAt) - policy.draftLifetime + YOUNG) return first;
  const { state } = await executor.load(draft, transactionId);
  const latest = issuedOf(state) ?? first;
  if (state.status !== 'open' || latest.expiresAt <= now.toISOString()) return latest;
  if (!state.hasLapsed && (await blocksLeft(latest, services)) >= FEW_BLOCKS) return latest;
  const fresh = await freshBlockhash(chain, slotTime, now);
  try {
    const { state: after, position } = await executor.execute(
      draft,
      transactionId,
      ownCause(context.cause),
      (current) => decideRefresh(current, fresh),
    );
    if (position !== undefined) observed(position);
    return issuedOf(after) ?? latest;
  } catch (refusal) {
    // It was submitted or ended meanwhile: then the caller has what it was given.
    if (refusal instanceof Rejection && (refusal.kind === 'gone' || refusal.kind === 'conflict'))
      return latest;
    throw refusal;
  }
}

async function blocksLeft({ lifetime }: IssuedDraft, { chain }: DraftServices): Promise<bigint> {
  if (lifetime.kind !== 'recent-blockhash') return 0n;
  const { blockHeight } = await chain.tip('confirmed');
  return BigInt(lifetime.lastValidBlockHeight) - blockHeight;
}

/** For the command's own stream, where an event of the command would count as what it was to record. */
function ownCause({ correlationId, commandId, traceparent }: Cause): Cause {
  const context = { correlationId, causationId: commandId };
  return causeOf('drafts', traceparent === undefined ? context : { ...context, traceparent });
}
