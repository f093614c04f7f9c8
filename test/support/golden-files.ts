/**
 * The content of test/golden. `events/<Type>/<version>.json`: examples of every shape of the type;
 * `collections/<name>.<version>.json`: the shape of a read model's documents; `hashes.json`: hashes of the events' schemas, and of
 * the states of the streams that have snapshots. Nothing is ever changed: `npm run golden` adds what is missing, and removes what
 * nothing reads any more.
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
import { projections } from '../../src/projections/index.ts';
import { streams } from '../../src/streams/index.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type DocumentShape, shapeOfDocuments } from './document-shape.ts';
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
export const shapeFile = ({ name, version }: Projection) => `collections/${name}.${version}.json`;

/** Paths below test/golden, in order. */
export function goldenFiles(): readonly string[] {
  return ['events', 'collections']
    .flatMap((folder) =>
      readdirSync(join(GOLDEN, folder), { recursive: true }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => path.endsWith('.json'))
    .sort();
}

/** Shapes of documents of collections that are gone. */
export function unreadFiles(): readonly string[] {
  return goldenFiles().filter((path) => {
    const [, folder, name] = /^(\w+)\/(\w+)\.\d+\.json$/.exec(path) ?? [];
    return folder === 'collections' && projections.every((each) => each.name !== name);
  });
}

export const isThere = (path: string): boolean => existsSync(join(GOLDEN, path));

export function readGolden<Content extends JsonValue>(path: string): Content {
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
  /** Keyed by `<category>.<version>`. */
  readonly snapshots: { readonly [version: string]: SnapshotHash };
}

export interface SnapshotHash {
  /** The number of folded examples of each event, in the stream's order. */
  readonly events: ExampleCounts;
  /** Hash of the state's schema and of the state after each event. */
  readonly hash: string;
}

export const HASHES = 'hashes.json';

export const knownHashes = (): Hashes => readGolden<JsonValue>(HASHES) as unknown as Hashes;

const hashOf = (value: JsonValue): string => hashInput(value).slice(0, 16);

/** Only of what a schema demands, not of what it says to readers. */
export const schemaHash = (schema: TObject): string => hashOf(schemaRulesOf(schema));

export const snapshotName = ({ category, snapshots }: StatefulStream) => `${category}.${snapshots?.version}`;

/** Folds the golden events, or those that `events` names. */
export function snapshotHash(stream: StatefulStream, events = currentExamples(stream)): SnapshotHash {
  const schema = schemaRulesOf(stream.snapshots?.state ?? null);
  return { events, hash: hashOf([schema, ...statesOf(stream, events)]) };
}

/** The state after each event, all of them twice: the second time on what the first has left. Every second state comes from JSON. */
export function statesOf(stream: StatefulStream, events = currentExamples(stream)): readonly JsonValue[] {
  const once = recordedExamples(events);
  const states: JsonValue[] = [];
  let state = stream.initial;
  for (const [index, event] of [...once, ...once].entries()) {
    state = stream.evolve(
      index % 2 === 0 || state === undefined ? state : JSON.parse(JSON.stringify(state)),
      event,
    );
    states.push(state === undefined ? null : JSON.parse(JSON.stringify(state)));
  }
  return states;
}

/** How many golden examples there are of each version, by `<Type>/<version>`. */
type ExampleCounts = { readonly [version: string]: number };

function currentExamples({ events }: StatefulStream): ExampleCounts {
  const types = Object.keys(events);
  return Object.fromEntries(types.map((type) => [nameOf({ type }), examplesOf({ type }).length]));
}

function recordedExamples(counts: ExampleCounts): readonly Recorded[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const [type = ''] = name.split('/');
    return decoded(examplesOf({ type }).slice(0, count));
  });
}

/** The shape of a collection, and of how many golden examples of each version it was made. */
export interface CollectionShape {
  readonly events: ExampleCounts;
  readonly folds: readonly string[];
  readonly indexes: readonly string[];
  readonly terms: boolean;
  readonly lists: readonly string[];
  readonly views: { readonly [view: string]: DocumentShape };
  readonly document: DocumentShape;
}

/** Made of the golden events that there are, or of those that `events` names. */
export function shapeOfCollection(
  projection: Projection,
  events: CollectionShape['events'] = foldedExamples(projection),
): CollectionShape {
  const documents = documentsOf(projection, recordedExamples(events));
  const { indexes = {}, terms, lists = {}, views = {} } = projection;
  return {
    events,
    folds: Object.keys(projection.on).sort(),
    indexes: Object.keys(indexes).sort(),
    terms: terms !== undefined,
    lists: Object.keys(lists).sort(),
    views: Object.fromEntries(
      Object.entries(views)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, view]) => [name, shapeOfDocuments(documents.map((document) => view(document)))]),
    ),
    document: shapeOfDocuments(documents),
  };
}

/** How many examples there are of each type that the projection folds. */
export function foldedExamples({ on }: Projection): CollectionShape['events'] {
  const counts = storedTypes.flatMap((stored): [string, number][] => {
    if (on[stored.type] === undefined || !isThere(examplesFile(stored))) return [];
    return [[nameOf(stored), examplesOf(stored).length]];
  });
  return Object.fromEntries(counts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Documents that the events lead to, in whatever order they come: for any two shapes of members that some document has
 * together, one that has them. Those of every combination are thousands, and show nothing more.
 */
function documentsOf({ on }: Projection, events: readonly Recorded[]): readonly Document[] {
  const partsOf = createParts();
  const bringsNews = createPairs();
  const met = new Set<string>();
  const found: Document[] = [];
  const pending: (Parted | undefined)[] = [undefined];
  for (let before = pending.pop(); ; before = pending.pop()) {
    for (const event of events) {
      const document = on[event.type]?.apply(before?.document, event);
      const parts = document && partsOf(document, before);
      const shape = parts?.join();
      if (parts === undefined || shape === undefined || met.has(shape)) continue;
      met.add(shape);
      if (!bringsNews(parts)) continue;
      const json: Document = deepFreeze(JSON.parse(JSON.stringify(document)));
      found.push(json);
      pending.push({ document: json, parts });
    }
    if (pending.length === 0) return found;
  }
}

/** Tells whether any two parts have not been together before, an absent one among them. */
function createPairs(): (parts: readonly number[]) => boolean {
  const known = new Set<string>();
  let places = 0;
  return (parts) => {
    const before = known.size;
    places = Math.max(places, parts.length);
    for (let one = 0; one < places; one += 1)
      for (let other = 0; other <= one; other += 1)
        known.add(`${one}.${parts[one] ?? 0} ${other}.${parts[other] ?? 0}`);
    return known.size > before;
  };
}

interface Parted {
  readonly document: Document;
  /** A number for the shape of each member, by the place of its name; 0 where it has no such member. */
  readonly parts: readonly number[];
}

/** A document made of another shares most members with it, so only the others are looked at. */
function createParts() {
  const [places, shapes] = [new Map<string, number>(), new Map<string, number>([['', 0]])];
  const numberIn = (known: Map<string, number>, text: string) => {
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  };
  return (document: Document, before?: Parted): readonly number[] => {
    const parts = [...(before?.parts ?? [])];
    const look = (name: string) => {
      const place = numberIn(places, name);
      while (parts.length < place) parts.push(0);
      parts[place] = numberIn(shapes, shapeOf(document[name]));
    };
    for (const name in document) if (document[name] !== before?.document[name]) look(name);
    for (const name in before?.document) if (document[name] === undefined) look(name);
    while (parts.at(-1) === 0) parts.pop();
    return parts;
  };
}

const shapeOf = (member: JsonValue | undefined) => (member === undefined ? '' : shapeText(member));

/** A document made of another shares most members with it, so the shape of each is found once. */
const shapes = new WeakMap<object, string>();

/** The same for two documents only if `shapeOfDocuments` says the same of them. */
function shapeText(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const known = shapes.get(value);
  if (known !== undefined) return known;
  const shape = Array.isArray(value) ? shapeOfItems(value) : shapeOfMembers(value as JsonObject);
  shapes.set(value, shape);
  return shape;
}

function shapeOfItems(items: readonly JsonValue[]): string {
  const [first, ...others] = new Set(items.map(shapeText));
  return others.length === 0 ? `[${first ?? ''}]` : JSON.stringify(shapeOfDocuments([{ items: [...items] }]));
}

function shapeOfMembers(object: JsonObject): string {
  let text = '';
  for (const name of Object.keys(object).sort()) {
    const shape = shapeOf(object[name]);
    if (shape !== '') text += `${name}:${shape},`;
  }
  return `{${text}}`;
}
