/**
 * The form of every test of a projection: given these events, then exactly these documents.
 *
 * On the way it holds the projection to what every projection must keep: the same documents whether events come one by
 * one or in a batch, every event again by itself changes nothing, and no entry of `on` goes without a test.
 */
import { afterAll, expect } from 'vitest';
import type { Document, StoredDocument } from '../../src/kernel/ports/read-model.ts';
import type { Projection } from '../../src/kernel/runtime/define-projection.ts';
import type { Recorded } from '../../src/kernel/runtime/event-codec.ts';
import { foldEvents } from '../../src/kernel/runtime/fold-events.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type Happening, recordedEvents } from './recorded-events.ts';

type Documents = { readonly [key: string]: Document };

export function projectionSpec(projection: Projection) {
  const exercised = new Set<string>();

  afterAll(() => {
    const forgotten = Object.keys(projection.on).filter((type) => !exercised.has(type));
    expect(forgotten, `every event that "${projection.name}" folds is in one of its tests`).toEqual([]);
  });

  return {
    given(...happenings: readonly Happening[]) {
      const events = deepFreeze(recordedEvents(happenings));
      for (const { type } of events) exercised.add(type);
      return {
        /** Exactly these documents, by key. */
        gives(expected: Documents): void {
          const stored = foldOneByOne(projection, events);
          expect(live(stored)).toEqual(expected);
          expect(live(foldInto(new Map(), projection, events)), 'folded as one batch').toEqual(expected);
          for (const event of events) {
            const again = foldEvents(projection, stored, [event]);
            expect(again, `${event.type} again by itself changes nothing`).toEqual([]);
          }
          for (const [, { document }] of stored) {
            expect(JSON.parse(JSON.stringify(document ?? null)), 'a document is JSON').toEqual(
              document ?? null,
            );
          }
        },
      };
    },
  };
}

function foldOneByOne(projection: Projection, events: readonly Recorded[]): Map<string, StoredDocument> {
  const stored = new Map<string, StoredDocument>();
  for (const event of events) foldInto(stored, projection, [event]);
  return stored;
}

function foldInto(
  stored: Map<string, StoredDocument>,
  projection: Projection,
  events: readonly Recorded[],
): Map<string, StoredDocument> {
  for (const { key, position, document } of foldEvents(projection, stored, events)) {
    stored.set(key, deepFreeze({ position, document }));
  }
  return stored;
}

function live(stored: ReadonlyMap<string, StoredDocument>): Documents {
  const entries = [...stored].flatMap(([key, { document }]) =>
    document === undefined ? [] : [[key, document] as const],
  );
  return Object.fromEntries(entries);
}
