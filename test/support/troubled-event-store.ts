/** A real event store behind a bad connection: appends may fail before or after they are written, or meet a rival. */
import type { EventStore, EventToAppend, ExpectedRevision } from '../../src/kernel/ports/event-store.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';

/** `unwritten`: fails and wrote nothing. `written`: fails although it wrote. A function runs before the append. */
export type Trouble = 'none' | 'unwritten' | 'written' | (() => Promise<unknown>);

export interface AppendCall {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
}

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The first append meets the first trouble, and so on; those after the last meet none. */
export function withTroubles(
  store: EventStore,
  troubles: readonly Trouble[],
): { readonly store: EventStore; readonly appends: readonly AppendCall[] } {
  const appends: AppendCall[] = [];
  return {
    appends,
    store: withMethods(store, {
      async append(stream, expected, events) {
        const trouble = troubles[appends.length] ?? 'none';
        appends.push({ stream, expected, events: structuredClone(events) });
        if (typeof trouble === 'function') await trouble();
        if (trouble === 'unwritten') throw new ConnectionLost('lost before the append arrived');
        const result = await store.append(stream, expected, events);
        if (trouble === 'written') throw new ConnectionLost('lost before the answer arrived');
        return result;
      },
    }),
  };
}
