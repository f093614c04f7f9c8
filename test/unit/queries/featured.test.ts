// What the featured list shows at a given moment, without any event that says that the time is over.
import { describe, expect, test } from 'vitest';
import { listFeatured } from '../../../src/queries/list-featured.ts';
import { FEATURED_LIST } from '../../../src/streams/featured-list.ts';
import { TokenHidden, TokenShown } from '../../../src/streams/token.ts';
import { ids, tokenCreated } from '../../support/domain-examples.ts';
import { promotionId, promotionStarted, purchase } from '../../support/promotion-examples.ts';
import { answering } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const born = happening(ids.tokenId, tokenCreated);
const threeDays = { startsAt: '2026-05-04T10:00:00.000Z', endsAt: '2026-05-07T10:00:00.000Z' };
const promoted = happening(FEATURED_LIST, promotionStarted(threeDays));

async function shownAt(now: string, ...more: Parameters<typeof answering>[0]) {
  return shownBy(await answering([born, promoted, ...more]), now);
}

async function answerAt(ask: Awaited<ReturnType<typeof answering>>, now: string) {
  const services = { publicConfiguration: { promotions: { places: 2 } } };
  return (await ask(listFeatured, { now, services })) as {
    readonly featured: readonly { readonly daysRemaining: number }[];
    readonly freePlaces: number;
    readonly nextPlaceAt: string | null;
  };
}

const shownBy = async (ask: Awaited<ReturnType<typeof answering>>, now: string) =>
  (await answerAt(ask, now)).featured;

describe('the featured list', () => {
  test('shows a promotion from its first millisecond to its last', async () => {
    expect(await shownAt('2026-05-04T09:59:59.999Z')).toEqual([]);
    expect(await shownAt('2026-05-04T10:00:00.000Z')).toEqual([
      {
        id: promotionId,
        tokenMint: purchase.mintAddress,
        token: purchase.card,
        ...threeDays,
        daysRemaining: 3,
      },
    ]);
    expect(await shownAt('2026-05-07T09:59:59.999Z')).toHaveLength(1);
    expect(await shownAt('2026-05-07T10:00:00.000Z')).toEqual([]);
  });

  test('goes by the clock at every question, also by one that was set back', async () => {
    const later = promotionStarted({
      startsAt: '2026-05-06T10:00:00.000Z',
      endsAt: '2026-05-08T10:00:00.000Z',
      promotion: { promotionId: ids.otherTransactionId },
    });
    const ask = await answering([born, promoted, happening(FEATURED_LIST, later)]);
    const daysAt = async (now: string) => (await shownBy(ask, now)).map(({ daysRemaining }) => daysRemaining);
    for (const [now, days] of [
      ['2026-05-04T09:59:59.999Z', []],
      ['2026-05-04T10:00:00.000Z', [3]],
      ['2026-05-05T10:00:00.000Z', [2]],
      ['2026-05-06T10:00:00.000Z', [2, 1]],
      ['2026-05-07T10:00:00.000Z', [1]],
      ['2026-05-08T10:00:00.000Z', []],
      ['2026-05-04T10:00:00.000Z', [3]],
    ] as const) {
      expect([now, await daysAt(now)]).toEqual([now, days]);
    }
  });

  test('has a place taken by each token until the end of its last promotion, also while it is hidden', async () => {
    const renewal = promotionStarted({
      startsAt: threeDays.endsAt,
      endsAt: '2026-05-09T10:00:00.000Z',
      promotion: { promotionId: ids.otherTransactionId },
    });
    const other = promotionStarted({
      startsAt: '2026-05-06T10:00:00.000Z',
      endsAt: '2026-05-08T10:00:00.000Z',
      promotion: { promotionId: ids.transactionId, tokenId: ids.otherTransactionId },
    });
    const hidden = happening(ids.tokenId, TokenHidden({ tokenId: ids.tokenId, reason: 'A scam.' }));
    const ask = await answering([
      born,
      promoted,
      hidden,
      ...[renewal, other].map((event) => happening(FEATURED_LIST, event)),
    ]);
    for (const [now, ...places] of [
      ['2026-05-05T10:00:00.000Z', 0, '2026-05-08T10:00:00.000Z'],
      ['2026-05-08T09:59:59.999Z', 0, '2026-05-08T10:00:00.000Z'],
      ['2026-05-08T10:00:00.000Z', 1, null],
      ['2026-05-09T10:00:00.000Z', 2, null],
    ] as const) {
      const { freePlaces, nextPlaceAt } = await answerAt(ask, now);
      expect([now, freePlaces, nextPlaceAt]).toEqual([now, ...places]);
    }
  });

  test('does not show a token while it is hidden', async () => {
    const hidden = happening(ids.tokenId, TokenHidden({ tokenId: ids.tokenId, reason: 'A scam.' }));
    const shown = happening(ids.tokenId, TokenShown({ tokenId: ids.tokenId, reason: null }));
    const now = '2026-05-05T10:00:00.000Z';
    expect(await shownAt(now, hidden)).toEqual([]);
    expect(await shownAt(now, hidden, shown)).toHaveLength(1);
  });
});
