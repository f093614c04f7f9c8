/** The outcomes of a log that never ends, the same for everybody who asks: which message stands in which place. */
import type { Publisher, PublisherMessage } from '../../src/kernel/ports/publisher.ts';

export const ENDLESS_SOURCE = 'urn:uuid:00000000-0000-4000-8000-00000000abcd';

/** Counted from 1. */
export function endlessMessage(place: number): PublisherMessage {
  const position = String(place).padStart(20, '0');
  const id = endlessId(place);
  const name = place % 3 === 0 ? 'tokens.shown' : 'submissions.accepted';
  const type = `levy.${name}`;
  return { id, position, name, body: JSON.stringify({ id, source: ENDLESS_SOURCE, type, position }) };
}

function endlessId(place: number): string {
  return `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
}

/** What a stream holds that was given the first of them, each once and in order. */
export function endlessIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => endlessId(index + 1));
}

/**
 * Publishes from where the bus stands, again and again however it ends, until the bus has as many as are wanted. Each call of
 * `stored` says how many it has.
 */
export async function publishEndlessLog(
  publisher: Publisher,
  wanted: number,
  stored: (place: number) => void = () => undefined,
  batch = 100,
): Promise<void> {
  const { signal } = new AbortController();
  for (let place = 0; place < wanted; ) {
    try {
      const { position, alreadyStored } = await publisher.resume(ENDLESS_SOURCE, signal);
      place = Number(position || 0) + alreadyStored;
      let previous = Promise.resolve();
      while (place < wanted) {
        const end = Math.min(place + batch, wanted);
        const messages = Array.from({ length: end - place }, (_, index) => endlessMessage(place + index + 1));
        const storing = publisher.publish(messages).then(() => stored(end));
        storing.catch(() => undefined);
        place = end;
        await previous;
        previous = storing;
      }
      await previous;
    } catch {
      place = 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
