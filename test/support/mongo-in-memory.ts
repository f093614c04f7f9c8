/**
 * The part of a MongoDB database that the read model uses, kept in memory at the level of the driver: fast enough for
 * thousands of interrupted histories. It is no real server: the contract suites run against those that are there.
 */
import {
  type BulkWriteResult,
  type Db,
  MongoBulkWriteError,
  MongoServerError,
  type WriteError,
} from 'mongodb';

type Stored = { [field: string]: unknown };
type Filter = { readonly [field: string]: unknown };
type Operation = {
  readonly insertOne?: { readonly document: Stored };
  readonly replaceOne?: { readonly filter: Filter; readonly replacement: Stored };
  readonly updateOne?: { readonly filter: Filter; readonly update: Update; readonly upsert?: boolean };
};
type Update = { readonly $set?: Stored; readonly $setOnInsert?: Stored };
interface FindOptions {
  readonly sort?: { readonly [field: string]: 1 | -1 };
  readonly skip?: number;
  readonly limit?: number;
}

const DUPLICATE_KEY = 11_000;

/** Outcome of a write; `whole` carries it out, `half` only its first part. */
export type Disturb = <Result>(whole: () => Result, half: () => void) => Promise<Result>;

export interface MemoryServer {
  /** A connection whose writes are disturbed. */
  connect(disturb?: Disturb): Db;
  documents(collection: string): readonly Stored[];
  collections(): readonly string[];
}

export function createMemoryServer(): MemoryServer {
  const collections = new Map<string, Map<string, Stored>>();

  function stored(name: string): Map<string, Stored> {
    const found = collections.get(name) ?? new Map<string, Stored>();
    collections.set(name, found);
    return found;
  }

  function select(
    name: string,
    filter: Filter,
    { sort, skip = 0, limit }: FindOptions = {},
  ): readonly Stored[] {
    const found = [...(collections.get(name)?.values() ?? [])].filter((each) => matches(each, filter));
    // The first field of the order is applied last.
    for (const [field, direction] of Object.entries(sort ?? {}).reverse())
      found.sort((one, other) => direction * compared(valuesAt(one, field)[0], valuesAt(other, field)[0]));
    return structuredClone(found.slice(skip, limit === undefined ? undefined : skip + limit));
  }

  function insert(name: string, document: Stored): void {
    const id = String(document._id);
    if (stored(name).has(id))
      throw new MongoServerError({ message: `duplicate key ${id}`, code: DUPLICATE_KEY });
    stored(name).set(id, structuredClone(document));
  }

  function apply(
    name: string,
    { insertOne, replaceOne, updateOne }: Operation,
  ): 'inserted' | 'matched' | 'nothing' {
    if (insertOne !== undefined) {
      insert(name, insertOne.document);
      return 'inserted';
    }
    const filter: Filter = replaceOne?.filter ?? updateOne?.filter ?? {};
    const [found] = select(name, filter, { limit: 1 });
    if (found === undefined) {
      if (!updateOne?.upsert) return 'nothing';
      insert(name, { _id: filter._id, ...updateOne.update.$set, ...updateOne.update.$setOnInsert });
      return 'inserted';
    }
    const next = replaceOne?.replacement ?? withFields(found, updateOne?.update.$set);
    stored(name).set(String(found._id), structuredClone({ ...next, _id: found._id }));
    return 'matched';
  }

  function bulk(name: string, operations: readonly Operation[], ordered: boolean) {
    const counts = { insertedCount: 0, matchedCount: 0 };
    const failed: unknown[] = [];
    for (const operation of operations) {
      try {
        const done = apply(name, operation);
        if (done === 'inserted') counts.insertedCount += 1;
        if (done === 'matched') counts.matchedCount += 1;
      } catch (error) {
        failed.push(error);
        if (ordered) break;
      }
    }
    if (failed.length === 0) return counts;
    const error = { message: 'duplicate key', code: DUPLICATE_KEY, writeErrors: failed as WriteError[] };
    throw new MongoBulkWriteError(error, counts as BulkWriteResult);
  }

  const undisturbed: Disturb = async (whole) => whole();

  return {
    documents: (name) => select(name, {}),
    collections: () => [...collections.keys()],

    connect(disturb = undisturbed) {
      const collection = (name: string) => {
        const write = (operations: readonly Operation[], ordered: boolean) =>
          disturb(
            () => bulk(name, operations, ordered),
            () => bulk(name, operations.slice(0, Math.ceil(operations.length / 2)), ordered),
          );
        return {
          find: (filter: Filter, options?: FindOptions) => cursorOf(() => select(name, filter, options)),
          findOne: async (filter: Filter, options?: FindOptions) =>
            select(name, filter, { ...options, limit: 1 })[0] ?? null,
          countDocuments: async (filter: Filter, options?: FindOptions) =>
            select(name, filter, options).length,
          insertOne: (document: Stored) => {
            const whole = () => insert(name, document);
            return disturb(whole, whole);
          },
          updateOne: (filter: Filter, update: Update, { upsert = false } = {}) => {
            const whole = () => ({
              matchedCount: apply(name, { updateOne: { filter, update, upsert } }) === 'matched' ? 1 : 0,
            });
            return disturb(whole, whole);
          },
          bulkWrite: (operations: readonly Operation[], { ordered = true } = {}) =>
            write(operations, ordered),
          createIndexes: () =>
            disturb(
              () => void stored(name),
              () => undefined,
            ),
          listIndexes: () => cursorOf(() => []),
        };
      };
      return {
        collection,
        dropCollection: async (name: string) => collections.delete(name),
        listCollections: () => cursorOf(() => [...collections.keys()].map((name) => ({ name }))),
      } as unknown as Db;
    },
  };
}

function cursorOf(found: () => readonly Stored[]) {
  return {
    toArray: async () => found(),
    async *[Symbol.asyncIterator]() {
      yield* found();
    },
  };
}

/** Names with a dot lead to a member of a member. */
function withFields(document: Stored, fields: Stored = {}): Stored {
  const next = { ...document };
  for (const [path, value] of Object.entries(fields)) {
    const [field = '', inner] = path.split('.');
    next[field] = inner === undefined ? value : { ...(next[field] as Stored), [inner]: value };
  }
  return next;
}

function valuesAt(document: unknown, path: string): readonly unknown[] {
  const value = path
    .split('.')
    .reduce<unknown>((inner, field) => (inner as Stored | undefined)?.[field], document);
  return Array.isArray(value) ? value : [value];
}

function matches(document: Stored, filter: Filter): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (field === '$or') return (wanted as readonly Filter[]).some((each) => matches(document, each));
    const values = valuesAt(document, field);
    if (typeof wanted !== 'object' || wanted === null) return values.includes(wanted);
    return Object.entries(wanted).every(([operator, operand]) =>
      values.some((value) => holds(value, operator, operand)),
    );
  });
}

function holds(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$in':
      return (operand as readonly unknown[]).includes(value);
    case '$exists':
      return (value !== undefined) === operand;
    case '$regex':
      return typeof value === 'string' && new RegExp(String(operand)).test(value);
    case '$lt':
      return value !== undefined && compared(value, operand) < 0;
    case '$lte':
      return value !== undefined && compared(value, operand) <= 0;
    case '$gt':
      return value !== undefined && compared(value, operand) > 0;
    case '$gte':
      return value !== undefined && compared(value, operand) >= 0;
    default:
      throw new Error(`the server in memory knows no ${operator}`);
  }
}

function compared(one: unknown, other: unknown): number {
  if (one === other) return 0;
  return (one as number) < (other as number) ? -1 : 1;
}
