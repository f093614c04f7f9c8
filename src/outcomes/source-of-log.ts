/** Reads the log's public name: the id of its first event, which no other log has. */
import { type EventStore, START } from '../kernel/ports/event-store.ts';
import { sourceOf } from './cloud-event.ts';

/** Undefined when aborted, and while the log is empty. */
export async function sourceOfLog(store: EventStore, signal: AbortSignal): Promise<string | undefined> {
  for await (const message of store.subscribe({ after: START, signal })) {
    if (message.kind === 'checkpoint') continue;
    return message.kind === 'event' ? sourceOf(message.event.id) : undefined;
  }
  return undefined;
}
