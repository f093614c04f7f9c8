/** Records what a draft was for in a stream that grows for ever, where only the events since the draft's issue matter. */
import type { DomainEvent, StreamDefinition } from '../../kernel/runtime/define-stream.ts';
import type { Cause, Executor } from '../../kernel/runtime/execute.ts';
import type { EventSearch } from '../../kernel/runtime/find-last.ts';
import { rejection } from '../../streams/rejections.ts';

/** Each further try means that something else was recorded in the stream meanwhile. */
const TRIES = 10;

/** `isAsRead`: nothing was recorded in the stream since the event was looked for and not found. */
export function decideOnce<State, Event>(
  state: State,
  { isAsRead, decide }: { readonly isAsRead: boolean; readonly decide: (state: State) => Event },
): readonly Event[] {
  return isAsRead ? [decide(state)] : [];
}

/** Nothing happens when an event of the type matches already. */
export async function recordOnce<State, Event extends DomainEvent, Type extends Event['type']>(
  executor: Executor,
  { stream, streamId }: { readonly stream: StreamDefinition<State, Event>; readonly streamId: string },
  search: EventSearch<Event, Type>,
  cause: Cause,
  decide: (state: State) => NoInfer<Event>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await executor.findLast(stream, streamId, search);
    if (found.event !== undefined) return;
    const { recorded } = await executor.execute(stream, streamId, cause, (state, { revision }) =>
      decideOnce(state, { isAsRead: revision === found.revision, decide }),
    );
    if (recorded.length > 0) return;
  }
  throw rejection('CONCURRENT_CHANGE', 'Others change this all the time; try again.', {
    retryAfterSeconds: 1,
  });
}
