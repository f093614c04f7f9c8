/** Pages of the list of tokens in each sort order, and the cost of a change that moves a token. */
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import type { DocumentChange, ReadModel } from '../../src/kernel/ports/read-model.ts';
import { type TokenDocument, tokens } from '../../src/projections/tokens.ts';
import { listTokens } from '../../src/queries/list-tokens.ts';
import type { TokenSort } from '../../src/queries/token-sorts.ts';
import { DISTRIBUTION_INTERVALS } from '../../src/streams/value-types.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { tokensCreated } from '../measuring/many-tokens.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const TOKENS = 100_000;
const LIMIT = 20;
/** Pages that are read in rotation, each once a round, so that none of them is cached. */
const PAGES = 20;
/** Half of the list. */
const DEEP = TOKENS / 2;
const ROUNDS = 7;
const CHANGES = 100;
const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const DAY = 86_400_000;

export const sorts: Line = () =>
  inTemporaryFolder(async (folder) => {
    const database = openSqliteDatabase(join(folder, 'levy.db'));
    const readModel = createSqliteReadModel(database);
    await fill(readModel);
    const ask = askerOf(readModel);
    const sides: { [side: string]: () => Promise<number> } = {};
    for (const sort of ['newest', 'paid', 'market-cap'] as const) {
      const first = await cursorsFrom(ask, sort, 0);
      const deep = await cursorsFrom(ask, sort, DEEP);
      sides[`${sort} first`] = () => pagesOf(ask, sort, first);
      sides[`${sort} deep`] = () => pagesOf(ask, sort, deep);
    }
    const { medians, ratio } = await alternate(ROUNDS, sides);
    const pages = Object.keys(sides).flatMap((side) => {
      if (side.startsWith('newest')) return [];
      const other = side.endsWith('deep') ? 'newest deep' : 'newest first';
      return {
        what: `GET /tokens, ${LIMIT} of ${TOKENS} tokens, in the process: ${side} / ${other}`,
        ratio: ratio(side, other),
        figures: `${written(medians[side] ?? 0)} us, ${written(medians[other] ?? 0)} us`,
      };
    });
    const writes = await alternate(ROUNDS, {
      place: changing(readModel, (document) => document),
      paid: changing(readModel, paidMore),
      marketCap: changing(readModel, worthMore),
    });
    await readModel.close();
    await database.close();
    return [
      ...pages,
      ...(['paid', 'marketCap'] as const).map((side) => ({
        what: `a commit that moves a token in \`${side}\` / in no sort`,
        ratio: writes.ratio(side, 'place'),
        figures: `${written(writes.medians[side])} us, ${written(writes.medians.place)} us`,
      })),
    ];
  });

type Ask = (query: object) => Promise<{ readonly next: string | null }>;

function askerOf(readModel: ReadModel): Ask {
  const services = { readModel, clock: { now: () => new Date(NOW) } };
  return async (query) => {
    const asked = { params: {}, query: { limit: LIMIT, ...query }, body: undefined };
    const answer = await listTokens.run(asked, { services, call: { actor: '', requestId: '' } } as never);
    const text = JSON.stringify(answer);
    return JSON.parse(text);
  };
}

/** Cursors of pages that begin after this many tokens. */
async function cursorsFrom(ask: Ask, sort: TokenSort, behind: number): Promise<readonly string[]> {
  const cursors: string[] = [];
  // The first page of a list with page numbers is cached.
  let { next } = await ask(sort === 'newest' ? { launchState: 'none' } : { sort });
  for (let passed = LIMIT; cursors.length < PAGES && next !== null; ) {
    const isThere = passed >= behind;
    if (isThere) cursors.push(next);
    const limit = isThere ? LIMIT : 100;
    ({ next } = await ask({ sort, after: next, limit }));
    passed += limit;
  }
  return cursors;
}

/** Microseconds per page. */
async function pagesOf(ask: Ask, sort: TokenSort, cursors: readonly string[]): Promise<number> {
  const start = performance.now();
  for (const after of cursors) await ask({ sort, after });
  return ((performance.now() - start) * 1_000) / cursors.length;
}

async function fill(readModel: ReadModel): Promise<void> {
  await readModel.prepare([tokens]);
  for (let first = 0; first < TOKENS; first += 10_000) {
    const numbers = Array.from({ length: 10_000 }, (_, index) => first + index);
    const changes = tokensCreated(numbers).map((change, index) => ({
      ...change,
      document: spread(change.document as TokenDocument, first + index),
    }));
    await readModel.commit([{ collection: tokens, changes }]);
  }
  await readModel.goLive(tokens);
}

/** Spreads tokens over all intervals and times of a day: half of them paid, three of four launched. */
function spread(document: TokenDocument, number: number): TokenDocument {
  const interval = DISTRIBUTION_INTERVALS[number % DISTRIBUTION_INTERVALS.length] ?? '1h';
  const createdAt = new Date(NOW - 30 * DAY + ((number * 7_919_003) % DAY)).toISOString();
  const made = { ...document, createdAt, distributionInterval: interval };
  const lamports = String((number * 7_000_003_001) % 1_000_000_000_039);
  const launched = { launch: 'active' as const, marketCap: { lamports, at: createdAt } };
  const token = number % 4 === 0 ? made : { ...made, ...launched };
  const sol = number % 2 === 0 ? String((number * 1_000_003) % 1_000_000_007) : '0';
  const distribution = { ...document.distribution, toHolders: { sol, token: '0' } };
  return { ...token, distribution };
}

function paidMore(document: TokenDocument): TokenDocument {
  const { toHolders } = document.distribution;
  const sol = String(BigInt(toHolders.sol) + 1_000_003n);
  return { ...document, distribution: { ...document.distribution, toHolders: { ...toHolders, sol } } };
}

function worthMore(document: TokenDocument): TokenDocument {
  const { lamports = '0', at = document.createdAt } = document.marketCap ?? {};
  return { ...document, marketCap: { lamports: String(BigInt(lamports) + 1_000_003n), at } };
}

let position = 1_000_000;

/** Microseconds per commit that changes one token. */
function changing(readModel: ReadModel, change: (document: TokenDocument) => TokenDocument) {
  return async (): Promise<number> => {
    let spent = 0;
    for (let number = 0; number < CHANGES; number += 1) {
      const [created] = tokensCreated([(position * 7_919) % TOKENS]);
      const key = created?.key ?? '';
      const document = (await readModel.load(tokens, [key])).get(key)?.document as TokenDocument;
      position += 1;
      const changed: DocumentChange = {
        key,
        position: String(position).padStart(20, '0'),
        document: change({ ...document, updatedAt: new Date(position).toISOString() }),
      };
      const start = performance.now();
      await readModel.commit([{ collection: tokens, changes: [changed] }]);
      spent += performance.now() - start;
    }
    return (spent * 1_000) / CHANGES;
  };
}
