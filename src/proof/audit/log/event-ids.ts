/** Checks that event ids are unique and that causes are in the log, with little memory for a log of any size. */
import { createHash } from 'node:crypto';
import { openKeyBuckets, textOfKey } from './key-buckets.ts';

export type EventIds = ReturnType<typeof openEventIds>;

const [EVENT, COMMAND, CAUSE] = [0, 1, 2] as const;
/** Maximum number of cached wrong ids; more would add nothing. */
const MOST_REMEMBERED = 100_000;

export function openEventIds({ mostRemembered = MOST_REMEMBERED } = {}) {
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
      /** Undefined where nothing else led to the event. */
      readonly cause: string | undefined;
    }): Promise<void> {
      await keys.put(EVENT, keyOf(eventId));
      // A command's events come one after another.
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
        /** The ids of events that occur more than once. */
        isDoubled: (eventId: string) => doubled.size > 0 && doubled.has(textOfKey(keyOf(eventId))),
        /** Causes that are neither an event of the log nor a command that recorded one. */
        isMissing: (cause: string) => missing.size > 0 && missing.has(textOfKey(keyOf(cause))),
      };
    },
    /** Removes its files. */
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

/** Other programs write ids of other forms. */
function keyOf(id: string): Buffer {
  if (UUID.test(id)) return Buffer.from(id.replaceAll('-', ''), 'hex');
  return createHash('sha256').update(id).digest();
}
