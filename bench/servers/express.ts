/**
 * The list of tokens as an Express 4 application in production mode with default settings: objects, sent with
 * `res.json`.
 */
import { join } from 'node:path';
import express from 'express';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { type Served, serve } from '../measuring/child.ts';

export interface ExpressOptions {
  readonly folder: string;
}

type Card = Readonly<Record<string, unknown>>;

interface Found {
  readonly cards: readonly Card[];
  readonly total: number;
}

async function openExpress({ folder }: ExpressOptions): Promise<Served> {
  const database = openSqliteDatabase(join(folder, 'levy-read-model.db'));
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([tokens]);
  const inMemory = new Map<string, Found>();

  async function read(page: number, limit: number): Promise<Found> {
    const { items, total } = await readModel.page(tokens, 'all', '', {
      view: 'card',
      offset: (page - 1) * limit,
      limit,
    });
    return { cards: items.map((text): Card => JSON.parse(text)), total };
  }

  function bodyOf({ cards, total }: Found, page: number, limit: number) {
    return { tokens: cards, pagination: { total, page, limit, totalPages: Math.ceil(total / limit) } };
  }

  const application = express();
  /** The same documents from the same store. They are parsed, as by any document database's driver. */
  application.get('/stored', (request, response, next) => {
    const [page, limit] = [Number(request.query.page), Number(request.query.limit)];
    read(page, limit).then((found) => response.json(bodyOf(found, page, limit)), next);
  });
  /** Reads nothing: the objects are in memory. */
  application.get('/memory', (request, response, next) => {
    const [page, limit] = [Number(request.query.page), Number(request.query.limit)];
    const key = `${page}/${limit}`;
    const known = inMemory.get(key);
    if (known) {
      response.json(bodyOf(known, page, limit));
      return;
    }
    read(page, limit).then((found) => {
      inMemory.set(key, found);
      response.json(bodyOf(found, page, limit));
    }, next);
  });
  return new Promise((resolve) => {
    const server = application.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: async () => {
          server.closeAllConnections();
          await database.close();
        },
      });
    });
  });
}

await serve(openExpress);
