/** Missing features of the substitutes for MongoDB, and the amount of work that they can handle. */
import type { MongoProgram } from './mongo-programs.ts';

/** `url` is what runs at TEST_MONGODB_URL. */
export type MongoKind = 'url' | MongoProgram;

export type MongoAbility = 'ordered-lists' | 'users';

const REASONS: Readonly<Record<MongoAbility, { readonly [kind in MongoKind]?: string }>> = {
  /** A query with a limit reads keys in the order of its index, and no more than it needs, as MongoDB does. */
  'ordered-lists': {
    secantusd: 'it sorts what it finds by an index',
    secantusdb: 'it sorts what it finds by an index',
  },
  users: {
    command: 'the tests do not know how it is started with users',
  },
};

/** Why tests of something are skipped on a server; undefined where they run. */
export function reasonToSkip(kind: MongoKind, ability: MongoAbility): string | undefined {
  return REASONS[ability][kind];
}

export interface MongoPace {
  /** Number of documents in the large tests of a read model. */
  readonly many: number;
  /** Number of seeds of its random tests; the others are skipped. */
  readonly seeds: number;
  /** Number of races of two processes for one file. */
  readonly races: number;
}

const FULL: MongoPace = { many: 5_000, seeds: 3, races: 200 };

/** SecantusDB is written in Python. */
const PACES: { readonly [kind in MongoKind]?: MongoPace } = {
  secantusdb: { many: 400, seeds: 3, races: 40 },
};

export function paceOf(kind: MongoKind): MongoPace {
  return PACES[kind] ?? FULL;
}
