// The series for a chart: bounded however many runs there were, and kept by caches.
import { describe, expect, test } from 'vitest';
import type { TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { getSeries } from '../../../src/queries/get-series.ts';
import { RunClosed, RunOpened } from '../../../src/streams/distribution.ts';
import { TokenCreated, TokenHidden } from '../../../src/streams/token.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { runClosed, runOpened } from '../../support/distribution-examples.ts';
import { addresses, token as example, tokenCreated } from '../../support/domain-examples.ts';
import { type Asked, answering } from '../../support/query-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const tokenId = tokenIdOf(addresses.mint);
const created = happening(
  tokenId,
  TokenCreated({ ...tokenCreated.data, token: { ...example, tokenId } }),
  '2025-01-01T00:00:00.000Z',
);

interface Series {
  readonly points: readonly { readonly number?: number; readonly at: string; readonly runs: number }[];
}

function opened(number: number, at: string): Happening {
  const runId = deriveId('example run', String(number));
  return happening(tokenId, RunOpened({ ...runOpened.data, tokenId, runId, number, dueAt: at }), at);
}

/** One a day. */
function ran(number: number): readonly Happening[] {
  const at = new Date(Date.UTC(2025, 0, number)).toISOString();
  const runId = deriveId('example run', String(number));
  const closed = RunClosed({ ...runClosed.data, tokenId, runId, number, closedAt: at });
  return [opened(number, at), happening(tokenId, closed, at)];
}

async function asking(happenings: readonly Happening[]) {
  const ask = await answering([created, ...happenings]);
  return async (query: Asked['query'], actor = 'anonymous') =>
    (await ask(getSeries, { params: { tokenId }, query, actor })) as TaggedAnswer<Series>;
}

describe('a series', () => {
  const many = Array.from({ length: 370 }, (_, index) => ran(index + 1)).flat();

  test('has a bounded number of points, the newest, whatever is asked for and an open run aside', async () => {
    const ask = await asking([...many, opened(371, '2026-01-06T00:00:00.000Z')]);
    const numbers = async (limit?: number) =>
      (await ask({ by: 'run', ...(limit && { limit }) })).output.points.map(({ number }) => number);
    expect([(await numbers(366)).length, (await numbers(366))[0], (await numbers(366)).at(-1)]).toEqual([
      100, 271, 370,
    ]);
    expect(await numbers(2)).toEqual([369, 370]);
    expect(await numbers()).toHaveLength(50);
    const days = (await ask({ by: 'day', limit: 366 })).output.points;
    expect([days.length, days.at(-1)?.at]).toEqual([366, '2026-01-05T00:00:00.000Z']);
    expect((await ask({})).output.points).toHaveLength(90);
  });

  test('may be kept by any cache, and has the same tag until a run is closed', async () => {
    const few = many.slice(0, 4);
    for (const by of ['run', 'day']) {
      const [one, same, more] = await Promise.all(
        [few, few, many.slice(0, 6)].map(async (happenings) => (await asking(happenings))({ by })),
      );
      expect(one?.caching).toBe('public');
      expect(same?.entityTag).toBe(one?.entityTag);
      expect(more?.entityTag).not.toBe(one?.entityTag);
    }
  });

  test('of a hidden token is its creator’s alone, and is kept by nobody else', async () => {
    const ask = await asking([
      ...many.slice(0, 2),
      happening(tokenId, TokenHidden({ tokenId, reason: 'a copy' })),
    ]);
    expect((await ask({}, addresses.creator)).caching).toBe('revalidated');
    await expect(ask({})).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
