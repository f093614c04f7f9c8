// What a wallet is told of its shares: its own, of tokens that it may see, page by page.
import { expect, test } from 'vitest';
import { CollectionNotLive } from '../../../src/kernel/ports/read-model.ts';
import { tokens } from '../../../src/projections/tokens.ts';
import { listWalletShares } from '../../../src/queries/list-wallet-shares.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { answering } from '../../support/query-spec.ts';
import { happening, recordedEvents } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const wallet = addresses.otherCreator;
const closedAt = '2026-05-04T09:00:00.000Z';
const part = { asset: 'sol', paid: '7', owed: '2', reason: 'paid' };
const share = {
  ...{ wallet, tokenId, runId: ids.walletId, closedAt },
  parts: [
    { ...part, kind: 'developer', reason: 'developer' },
    { ...part, kind: 'holder' },
  ],
};
const [event] = recordedEvents([happening(tokenId, tokenCreated)]);
const token = event && tokens.on.TokenCreated?.apply(undefined, event);

async function asked(query: object, { hidden = false, failure = new CollectionNotLive('x') as Error } = {}) {
  const places: unknown[] = [];
  const readModel = {
    async find(_shares: object, _index: string, _wallet: string, options: object) {
      places.push(options);
      return [share];
    },
    get: (collection: object) =>
      collection === tokens ? Promise.resolve({ ...(token as object), hidden }) : Promise.reject(failure),
  };
  const ask = await answering([]);
  const answer = await ask(listWalletShares, {
    params: { wallet },
    query: { ...query },
    services: { readModel },
  });
  return { places, ...(answer as { output: { shares: readonly object[] } }).output };
}

test('a share adds what was paid and is owed in every capacity, also while other read models are built', async () => {
  const { shares, places } = await asked({});
  expect(shares).toMatchObject([
    { tokenId, paidByAsset: { sol: '14' }, owedByAsset: { sol: '4' }, reason: 'paid', lastRun: { closedAt } },
  ]);
  expect(places).toEqual([{ limit: 21, descending: true }]);
});

test('a page begins behind the token that the last one ended with', async () => {
  const { places } = await asked({ after: tokenId, limit: 5 });
  expect(places).toEqual([{ limit: 6, descending: true, after: `${tokenId}/${wallet}` }]);
});

test('a hidden token is left out, and no failure is taken for a read model that is being built', async () => {
  expect((await asked({}, { hidden: true })).shares).toEqual([]);
  await expect(asked({}, { failure: new Error('disk') })).rejects.toThrow('disk');
});
