/**
 * The content of test/golden. `events/<Type>/<version>.json`: examples of every shape of the type;
 * `hashes.json`: hashes of the events' schemas, of the
 * states of the streams that have snapshots, and of the documents of the read models. Nothing is ever changed: `npm run golden` adds
 * what is missing, and removes what nothing reads any more.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TObject } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '../../src/kernel/ports/event-store.ts';
import type { Document } from '../../src/kernel/ports/read-model.ts';
import type { Projection } from '../../src/kernel/runtime/define-projection.ts';
import type { DomainEvent, StreamDefinition } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, type Recorded, SCHEMA_VERSION } from '../../src/kernel/runtime/event-codec.ts';
import { hashInput, randomId } from '../../src/kernel/runtime/ids.ts';
import { streams } from '../../src/streams/index.ts';
import { deepFreeze } from './deep-freeze.ts';
import { schemaRulesOf } from './schema-rules.ts';

export const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url));

/** An event as the event store keeps it, but for its place and id. */
export interface GoldenEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** A type under which events are stored. */
export interface StoredType {
  readonly category: string;
  readonly type: string;
  readonly schema: TObject;
}

export const storedTypes: readonly StoredType[] = streams.flatMap(({ category, events }) =>
  Object.entries(events).map(([type, schema]) => ({ category, type, schema })),
);

type TypeName = Pick<StoredType, 'type'>;

export const nameOf = ({ type }: TypeName) => `${type}/${SCHEMA_VERSION}`;
export const examplesFile = (type: TypeName) => `events/${nameOf(type)}.json`;

/** Paths below test/golden, in order. */
export function goldenFiles(): readonly string[] {
  return (readdirSync(join(GOLDEN, 'events'), { recursive: true }) as string[])
    .map((path) => `events/${path}`)
    .filter((path) => path.endsWith('.json'))
    .sort();
}

export const isThere = (path: string): boolean => existsSync(join(GOLDEN, path));

function readGolden<Content extends JsonValue>(path: string): Content {
  return deepFreeze(JSON.parse(readFileSync(join(GOLDEN, path), 'utf8')));
}

export function examplesOf(type: TypeName): readonly GoldenEvent[] {
  return readGolden<JsonValue>(examplesFile(type)) as unknown as readonly GoldenEvent[];
}

const codec = createEventCodec(streams);

/** As rules know them today. */
export function decoded(examples: readonly GoldenEvent[]): readonly Recorded[] {
  return examples.map((example, index) =>
    codec.decode({
      ...example,
      id: randomId(),
      revision: index,
      position: String(index + 1).padStart(20, '0'),
    }),
  );
}

type StatefulStream = StreamDefinition<unknown, DomainEvent>;

/** The streams whose states are written down. */
export const snapshottedStreams: readonly StatefulStream[] = streams
  // The registry knows only their schemas.
  .map((stream) => stream as unknown as StatefulStream)
  .filter(({ snapshots }) => snapshots !== undefined);

export interface Hashes {
  /** Hashes of schemas, keyed by `<Type>/<version>`. */
  readonly schemas: { readonly [version: string]: string };
  /** Hashes of streams' states, keyed by `<category>.<version>`. */
  readonly snapshots: { readonly [version: string]: FoldHash };
  /** Hashes of read models' documents, keyed by `<name>.<version>`. */
  readonly collections: { readonly [version: string]: FoldHash };
}

export interface FoldHash {
  /** The number of folded examples of each event. */
  readonly events: ExampleCounts;
  /** Hash of what the examples are folded into. */
  readonly hash: string;
}

export const HASHES = 'hashes.json';

export const knownHashes = (): Hashes => readGolden<JsonValue>(HASHES) as unknown as Hashes;

const hashOf = (value: JsonValue): string => hashInput(value).slice(0, 16);
const json = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null));

/** Only of what a schema demands, not of what it says to readers. */
export const schemaHash = (schema: TObject): string => hashOf(schemaRulesOf(schema));

export const snapshotName = ({ category, snapshots }: StatefulStream) => `${category}.${snapshots?.version}`;
export const collectionName = ({ name, version }: Projection) => `${name}.${version}`;

/** Hashes the state's schema and the state after each golden event; `events` selects the events. */
export function snapshotHash(stream: StatefulStream, events = streamExamples(stream)): FoldHash {
  const schema = schemaRulesOf(stream.snapshots?.state ?? null);
  return { events, hash: hashOf([schema, ...statesOf(stream, events)]) };
}

/** The state after each event, all of them twice: the second time on what the first has left. Every second state comes from JSON. */
export function statesOf(stream: StatefulStream, events = streamExamples(stream)): readonly JsonValue[] {
  const once = recordedExamples(events);
  const states: JsonValue[] = [];
  let state = stream.initial;
  for (const [index, event] of [...once, ...once].entries()) {
    state = stream.evolve(index % 2 === 0 || state === undefined ? state : (json(state) as unknown), event);
    states.push(json(state));
  }
  return states;
}

/** Hashes the documents after the golden events, with their indexes, terms, lists and views; `events` selects the events. */
export function collectionHash(projection: Projection, events = projectionExamples(projection)): FoldHash {
  const { indexes = {}, terms, lists = {}, views = {} } = projection;
  const each = (functions: { readonly [name: string]: (document: never) => unknown }, document: Document) =>
    Object.entries(functions).map(([name, of]) => [name, of(document as never)]);
  const rows = documentsOf(projection, recordedExamples(events)).map((document) => [
    document,
    each({ ...indexes, ...(terms && { terms }) }, document),
    each(lists, document),
    each(views, document),
  ]);
  return { events, hash: hashOf(json(rows)) };
}

/** After each event and each pair of events, and after all of them, one upon the other, twice. */
function documentsOf({ on }: Projection, events: readonly Recorded[]): readonly Document[] {
  const found: (Document | undefined)[] = [];
  const fold = (before: Document | undefined, event: Recorded): Document | undefined => {
    const after = deepFreeze(on[event.type]?.apply(before, event));
    found.push(after);
    return after;
  };
  for (const first of events) {
    const before = fold(undefined, first);
    for (const second of events) fold(before, second);
  }
  [...events, ...events].reduce(fold, undefined);
  return found.filter((document) => document !== undefined);
}

/** How many golden examples there are of each version, by `<Type>/<version>`. */
type ExampleCounts = { readonly [version: string]: number };

const examplesOfTypes = (types: readonly string[]): ExampleCounts =>
  Object.fromEntries(types.map((type) => [nameOf({ type }), examplesOf({ type }).length]));

const streamExamples = ({ events }: StatefulStream) => examplesOfTypes(Object.keys(events));
export const projectionExamples = ({ on }: Projection) => examplesOfTypes(Object.keys(on).sort());

function recordedExamples(counts: ExampleCounts): readonly Recorded[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const [type = ''] = name.split('/');
    return decoded(examplesOf({ type }).slice(0, count));
  });
}
