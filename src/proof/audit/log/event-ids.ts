/** Checks that event ids are unique and that causes are in the log, with bounded memory. */
import { createHash } from 'node:crypto';
import { openKeyBuckets, textOfKey } from './key-buckets.ts';

export type EventIds = ReturnType<typeof openEventIds>;

const [EVENT, COMMAND, CAUSE] = [0, 1, 2] as const;
/** Maximum number of ids recorded per problem; more would not fit in a report. */
const MAX_CACHED = 100_000;

export function openEventIds({ mostRemembered = MAX_CACHED } = {}) {
  const keys = openKeyBuckets();
  let lastCommand = '';

  return {
    async add({
      eventId,
      commandId,
      cause,
    }: {
      readonly eventId: string;
      readonly commandId: string;
      /** Undefined if the event has no external cause. */
      readonly cause: string | undefined;
    }): Promise<void> {
      await keys.put(EVENT, keyOf(eventId));
      // Events of a command are adjacent, so comparing with the last one removes most duplicates.
      if (commandId !== lastCommand) await keys.put(COMMAND, keyOf(commandId));
      lastCommand = commandId;
      if (cause !== undefined) await keys.put(CAUSE, keyOf(cause));
    },
    async judge() {
      const doubled = new Set<string>();
      const missing = new Set<string>();
      for await (const bucket of keys.buckets()) judgeBucket(bucket, doubled, missing, mostRemembered);
      return {
        doubled: doubled.size,
        missing: missing.size,
        /** True if several events have this id. */
        isDoubled: (eventId: string) => doubled.size > 0 && doubled.has(textOfKey(keyOf(eventId))),
        /** True for causes that are neither an event nor a recorded command of the log. */
        isMissing: (cause: string) => missing.size > 0 && missing.has(textOfKey(keyOf(cause))),
      };
    },
    /** Deletes the temporary files. */
    close: keys.close,
  };
}

function judgeBucket(
  bucket: readonly { readonly kind: number; readonly key: string }[],
  doubled: Set<string>,
  missing: Set<string>,
  most: number,
): void {
  const events = new Set<string>();
  const commands = new Set<string>();
  const causes = new Set<string>();
  for (const { kind, key } of bucket) {
    if (kind === COMMAND) commands.add(key);
    else if (kind === CAUSE) causes.add(key);
    else if (!events.has(key)) events.add(key);
    else if (doubled.size < most) doubled.add(key);
  }
  for (const cause of causes)
    if (!events.has(cause) && !commands.has(cause) && missing.size < most) missing.add(cause);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids that are not UUIDs, written by other programs, are hashed. */
function keyOf(id: string): Buffer {
  if (UUID.test(id)) return Buffer.from(id.replaceAll('-', ''), 'hex');
  return createHash('sha256').update(id).digest();
}
