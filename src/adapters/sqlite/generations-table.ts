/** The table of generations: the shape of each, whether it is read, and how far it is filled. */
import { shapeOf } from '../../kernel/ports/collection-shape.ts';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import type { Collection, Generation } from '../../kernel/ports/read-model.ts';
import { createTables, dropTables, emptyTables, tablesOf } from './collection-tables.ts';
import type { SqliteDatabase } from './database.ts';

const DEFINITION = `
  CREATE TABLE IF NOT EXISTS collections (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 1,
    shape TEXT NOT NULL,
    checkpoint TEXT,
    live INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (name, version, generation)
  ) STRICT, WITHOUT ROWID`;

export interface GenerationRow extends Generation {
  readonly shapeText: string;
  readonly isLive: boolean;
}

/** All synchronous. What writes must be called within a transaction. */
export interface GenerationsTable {
  /** By version and generation. */
  rows(name: string): readonly GenerationRow[];
  checkpoint(name: string, generation: Generation): string | undefined;
  /** Adds a generation unless the version has one in this shape. */
  prepare(collection: Collection): void;
  addNext(collection: Collection): void;
  empty(name: string, row: Generation & Pick<GenerationRow, 'shapeText'>): void;
  /** Never moves it back. */
  moveCheckpoint(name: string, generation: Generation, checkpoint: string): void;
  /** Removes all other generations. */
  goLive(name: string, generation: Generation): void;
  withdraw(name: string): void;
}

function columnsOf(database: SqliteDatabase): readonly string[] {
  return database.statement<[string]>(`SELECT name FROM pragma_table_info('collections')`).rows().flat();
}

export function createGenerations(database: SqliteDatabase): void {
  database.execute(DEFINITION);
}

/** For a file that is only read. */
export function requireReadable(database: SqliteDatabase, path: string): void {
  if (columnsOf(database).length > 0) return;
  throw new OperatorError(
    `"${path}" holds no read models: name the file that READ_MODEL_URL of the service names`,
  );
}

/** Counted per version from 1. */
export function nextGeneration(rows: readonly Generation[], version: number): number {
  return (
    1 + Math.max(0, ...rows.filter((row) => row.version === version).map(({ generation }) => generation))
  );
}

export function createGenerationsTable(database: SqliteDatabase): GenerationsTable {
  const itself = 'name = ? AND version = ? AND generation = ?';
  const find = database.statement<[version: number, generation: number, shape: string, live: number]>(
    'SELECT version, generation, shape, live FROM collections WHERE name = ? ORDER BY version, generation',
  );
  const add = database.statement(
    'INSERT INTO collections (name, version, generation, shape) VALUES (?, ?, ?, ?)',
  );
  const remove = database.statement(`DELETE FROM collections WHERE ${itself}`);
  const setLive = database.statement(`UPDATE collections SET live = 1 WHERE ${itself}`);
  const takeOff = database.statement('UPDATE collections SET live = 0 WHERE name = ?');
  const getCheckpoint = database.statement<[string | null]>(
    `SELECT checkpoint FROM collections WHERE ${itself}`,
  );
  const moveCheckpoint = database.statement(
    `UPDATE collections SET checkpoint = ?1
     WHERE name = ?2 AND version = ?3 AND generation = ?4 AND (checkpoint IS NULL OR checkpoint < ?1)`,
  );
  const forget = database.statement(`UPDATE collections SET checkpoint = NULL, live = 0 WHERE ${itself}`);

  function rows(name: string): readonly GenerationRow[] {
    return find.rows(name).map(([version, generation, shapeText, live]) => ({
      version,
      generation,
      shapeText,
      isLive: live === 1,
    }));
  }

  function addNext(collection: Collection): void {
    const { name, version } = collection;
    const shape = shapeOf(collection);
    const generation = nextGeneration(rows(name), version);
    createTables(database, tablesOf(name, { version, generation }, shape));
    add.run(name, version, generation, JSON.stringify(shape));
  }

  return {
    rows,
    addNext,
    checkpoint: (name, { version, generation }) =>
      getCheckpoint.row(name, version, generation)?.[0] ?? undefined,
    prepare(collection) {
      const text = JSON.stringify(shapeOf(collection));
      const isThere = rows(collection.name).some(
        ({ version, shapeText }) => version === collection.version && shapeText === text,
      );
      if (!isThere) addNext(collection);
    },
    empty(name, row) {
      emptyTables(database, tablesOf(name, row, JSON.parse(row.shapeText)));
      forget.run(name, row.version, row.generation);
    },
    moveCheckpoint(name, { version, generation }, checkpoint) {
      moveCheckpoint.run(checkpoint, name, version, generation);
    },
    goLive(name, { version, generation }) {
      for (const other of rows(name)) {
        if (other.version === version && other.generation === generation) continue;
        dropTables(database, tablesOf(name, other, JSON.parse(other.shapeText)));
        remove.run(name, other.version, other.generation);
      }
      setLive.run(name, version, generation);
    },
    withdraw(name) {
      takeOff.run(name);
    },
  };
}
