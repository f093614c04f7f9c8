// What is told of tokens: the list and its pages, one's own, and one in full.
import { describe, expect, test } from 'vitest';
import { JsonText } from '../../../src/kernel/runtime/define-query.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { getToken } from '../../../src/queries/get-token.ts';
import { listHiddenTokens } from '../../../src/queries/list-hidden-tokens.ts';
import { listOwnTokens } from '../../../src/queries/list-own-tokens.ts';
import { listTokens } from '../../../src/queries/list-tokens.ts';
import { TokenCreated, TokenCreationReverted, TokenHidden, TokenShown } from '../../../src/streams/token.ts';
import { addresses, token, tokenCreated } from '../../support/domain-examples.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';
import { type Asked, answering } from './answering.ts';

const idOf = (number: number) => deriveId('example token', String(number));

/** Odd ones are the creator's, even ones the other creator's. */
function created(number: number): Happening {
  const subject = { ...token, tokenId: idOf(number), name: `Number ${number}`, symbol: `N${number % 3}` };
  const creator = number % 2 === 1 ? addresses.creator : addresses.otherCreator;
  return happening(idOf(number), TokenCreated({ ...tokenCreated.data, creator, token: subject }));
}

function reverted(number: number): Happening {
  const { transactionId } = tokenCreated.data;
  return happening(idOf(number), TokenCreationReverted({ tokenId: idOf(number), transactionId }));
}

const hide = (number: number) =>
  happening(idOf(number), TokenHidden({ tokenId: idOf(number), reason: 'a copy' }));
const show = (number: number) => happening(idOf(number), TokenShown({ tokenId: idOf(number), reason: null }));

const five = [1, 2, 3, 4, 5].map(created);

async function listed(happenings: readonly Happening[], query: Asked['query'] = {}) {
  const ask = await answering(happenings);
  const answer = await ask(listTokens, { query });
  if (!(answer instanceof JsonText)) throw new Error('the list comes as JSON text');
  const { tokens, pagination } = JSON.parse(answer.text) as {
    readonly tokens: readonly { readonly name: string }[];
    readonly pagination: unknown;
  };
  return { names: tokens.map(({ name }) => name), pagination };
}

const named = (...numbers: readonly number[]) => numbers.map((number) => `Number ${number}`);

describe('the list of tokens', () => {
  test('is newest first, twenty a page unless told otherwise', async () => {
    expect(await listed(five)).toEqual({
      names: named(5, 4, 3, 2, 1),
      pagination: { total: 5, page: 1, limit: 20, totalPages: 1 },
    });
  });

  test('comes in pages, the last one shorter, and empty ones behind it', async () => {
    const pagination = { total: 5, limit: 2, totalPages: 3 };
    expect(await listed(five, { page: 2, limit: 2 })).toEqual({
      names: named(3, 2),
      pagination: { ...pagination, page: 2 },
    });
    expect(await listed(five, { page: 3, limit: 2 })).toMatchObject({ names: named(1) });
    expect(await listed(five, { page: 4, limit: 2 })).toEqual({
      names: [],
      pagination: { ...pagination, page: 4 },
    });
    expect(await listed(five, { page: 1_000_000_000, limit: 100 })).toMatchObject({ names: [] });
  });

  test('has no pages when there is nothing', async () => {
    expect(await listed([])).toEqual({
      names: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
    });
  });

  test('is of one creator when it is asked for', async () => {
    expect(await listed(five, { creator: addresses.otherCreator, limit: 1 })).toEqual({
      names: named(4),
      pagination: { total: 2, page: 1, limit: 1, totalPages: 2 },
    });
    expect(await listed(five, { creator: addresses.mint })).toMatchObject({ names: [] });
  });

  test('finds by the beginning of a name or symbol, ignoring case and blanks around', async () => {
    expect(await listed(five, { search: 'number 3' })).toMatchObject({ names: named(3) });
    expect(await listed(five, { search: ' n1 ' })).toMatchObject({ names: named(4, 1) });
    expect(await listed(five, { search: 'n', creator: addresses.creator })).toMatchObject({
      names: named(5, 3, 1),
    });
    expect(await listed(five, { search: 'umber' })).toMatchObject({ names: [] });
    expect(await listed(five, { search: '   ' })).toMatchObject({ names: named(5, 4, 3, 2, 1) });
  });

  test('leaves out what is hidden, also of a creator’s list and of a search', async () => {
    const happenings = [...five, hide(3)];
    expect(await listed(happenings)).toMatchObject({ names: named(5, 4, 2, 1), pagination: { total: 4 } });
    const ofCreator = { creator: addresses.creator };
    expect(await listed(happenings, ofCreator)).toMatchObject({
      names: named(5, 1),
      pagination: { total: 2 },
    });
    expect(await listed(happenings, { search: 'number 3' })).toMatchObject({ names: [] });
    expect(await listed(happenings, { search: 'n', ...ofCreator })).toMatchObject({ names: named(5, 1) });
  });

  test('shows what is no longer hidden in its old place', async () => {
    expect(await listed([...five, hide(3), hide(5), show(3)])).toMatchObject({ names: named(4, 3, 2, 1) });
  });

  test('leaves out what a fork took back', async () => {
    expect(await listed([...five, reverted(4)])).toMatchObject({
      names: named(5, 3, 2, 1),
      pagination: { total: 4 },
    });
  });
});

test('one’s own tokens are there while they are hidden, and say so', async () => {
  const ask = await answering([...five, hide(3), hide(5), show(5)]);
  expect(await ask(listOwnTokens, { actor: addresses.creator })).toMatchObject({
    tokens: [{ name: 'Number 5' }, { name: 'Number 3', hidden: true }, { name: 'Number 1' }],
  });
});

test('operators see what is hidden, since when, why and by whom', async () => {
  const ask = await answering([...five, hide(2), hide(3), show(2)]);
  const answer = await ask(listHiddenTokens);
  if (!(answer instanceof JsonText)) throw new Error('the list comes as JSON text');
  expect(JSON.parse(answer.text)).toEqual({
    tokens: [
      {
        tokenId: idOf(3),
        mintAddress: addresses.mint,
        name: 'Number 3',
        symbol: 'N0',
        imageUri: token.imageUri,
        creator: addresses.creator,
        createdAt: '2026-05-04T10:00:00.000Z',
        hidden: { reason: 'a copy', by: expect.any(String), since: '2026-05-04T10:00:00.000Z' },
      },
    ],
    pagination: { total: 1, page: 1, limit: 20, totalPages: 1 },
  });
});

test('one’s own tokens are newest first, and nobody else’s', async () => {
  const ask = await answering(five);
  const own = (await ask(listOwnTokens, { actor: addresses.creator })) as {
    readonly tokens: readonly object[];
  };
  expect(own.tokens).toMatchObject(named(5, 3, 1).map((name) => ({ name })));
  expect(own.tokens[0]).toEqual({
    id: idOf(5),
    mintAddress: addresses.mint,
    name: 'Number 5',
    symbol: 'N2',
    imageUri: token.imageUri,
    distributionEnabled: true,
    createdAt: '2026-05-04T10:00:00.000Z',
  });
  expect(await ask(listOwnTokens, { actor: addresses.mint })).toEqual({ tokens: [] });
});

describe('one token', () => {
  test('is found by its mint, and told in full', async () => {
    const ask = await answering([created(1)]);
    const answer = await ask(getToken, { params: { mintAddress: addresses.mint } });
    expect(answer).toMatchObject({ token: { id: idOf(1), supply: token.supply, transferFeePercent: 1.23 } });
    // Decided: optional in the contract, and public, since the chain tells it too.
    expect(answer).toMatchObject({
      token: {
        creator: addresses.creator,
        signature: tokenCreated.data.signature,
        rewardToken: 'SOL',
        nextDistributionAt: '2026-05-04T11:00:00.000Z',
      },
    });
    expect(answer).not.toHaveProperty('token.lastDistributionAt');
  });

  test('is there for its creator alone while it is hidden, without the operator’s reason', async () => {
    const ask = await answering([created(1), hide(1)]);
    const params = { mintAddress: addresses.mint };
    for (const actor of ['anonymous', addresses.otherCreator, 'operator:alice']) {
      await expect(ask(getToken, { params, actor })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    }
    const answer = await ask(getToken, { params, actor: addresses.creator });
    expect(answer).toMatchObject({ token: { id: idOf(1), hidden: true } });
    expect(JSON.stringify(answer)).not.toContain('a copy');
  });

  test('is told like any other once it is no longer hidden', async () => {
    const ask = await answering([created(1), hide(1), show(1)]);
    const answer = await ask(getToken, { params: { mintAddress: addresses.mint } });
    expect(answer).not.toHaveProperty('token.hidden');
  });

  test('is not found when it does not exist, or no longer does', async () => {
    const ask = await answering([created(1), reverted(1)]);
    for (const mintAddress of [addresses.mint, addresses.creator, 'nonsense']) {
      await expect(ask(getToken, { params: { mintAddress } })).rejects.toMatchObject({
        code: 'TOKEN_NOT_FOUND',
      });
    }
  });
});
