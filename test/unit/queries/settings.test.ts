// What a token's creator may ask about its settings, over read models that were filled from events.
import { describe, expect, test } from 'vitest';
import { TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getSettings } from '../../../src/queries/get-settings.ts';
import { listSettingsChanges } from '../../../src/queries/list-settings-changes.ts';
import { settingsAtBirth, settingsView } from '../../../src/streams/distribution-settings.ts';
import {
  DistributionSettingsUpdated,
  TokenCreated,
  TokenCreationReverted,
} from '../../../src/streams/token.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { addresses, token as example, ids, tokenCreated } from '../../support/domain-examples.ts';
import { type Asked, answering } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

// As the service derives it, so that the mint address leads to it.
const tokenId = tokenIdOf(addresses.mint);
const token = { ...example, tokenId };
const actor = addresses.creator;
const created = happening(tokenId, TokenCreated({ ...tokenCreated.data, token }));
const change = (burnBasisPoints: number) => ({
  ...happening(
    tokenId,
    DistributionSettingsUpdated({ tokenId, from: { burnBasisPoints: 0 }, to: { burnBasisPoints } }),
  ),
  actor,
});
const reverted = happening(tokenId, TokenCreationReverted({ tokenId, transactionId: ids.transactionId }));
const atBirth = settingsView(settingsAtBirth(token));

const shown = (answer: Promise<unknown>) =>
  answer as Promise<{
    changes: { after: object; position: string }[];
    pagination: object;
    next: string | null;
  }>;

describe.each([
  ['its id', tokenId],
  ['its mint address', addresses.mint],
])('by %s', (_what, reference) => {
  const params = { tokenId: reference };

  test('the creator gets the settings with their entity tag', async () => {
    const ask = await answering([created, change(29)]);
    const settings = { ...atBirth, burnPercent: 0.29 };
    expect(await ask(getSettings, { params, actor })).toEqual(new TaggedAnswer(settings));
  });

  test('the creator gets the changes, newest first, a page at a time', async () => {
    const ask = await answering([created, change(1), change(2), change(3)]);
    const first = await shown(ask(listSettingsChanges, { params, actor, query: { page: 1, limit: 3 } }));
    expect(first.changes.map(({ after }) => after)).toEqual(
      [0.03, 0.02, 0.01].map((burnPercent) => ({ burnPercent })),
    );
    expect(first.pagination).toEqual({ total: 4, page: 1, limit: 3, totalPages: 2 });
    const second = await shown(ask(listSettingsChanges, { params, actor, query: { page: 2, limit: 3 } }));
    expect(second.changes).toMatchObject([{ before: null, after: atBirth, changedBy: addresses.creator }]);
    expect(second.next).toBeNull();
  });

  test('the creator goes on behind a page of changes, whatever is changed meanwhile', async () => {
    const page = async (changes: readonly number[], query: Asked['query']) =>
      shown(
        (await answering([created, ...changes.map(change)]))(listSettingsChanges, { params, actor, query }),
      );
    const first = await page([1, 2, 3], { limit: 2 });
    expect(first.next).toBe(first.changes.at(-1)?.position);
    const one = await page([1, 2, 3], { limit: 1 });
    expect((await page([1, 2, 3], { after: one.next })).changes).toHaveLength(3);
    const second = await page([1, 2, 3, 4, 5], { limit: 1, after: first.next });
    expect(second.changes.map(({ after }) => after)).toEqual([{ burnPercent: 0.01 }]);
    expect(second.pagination).toMatchObject({ total: 6, page: 1 });
    const last = await page([1, 2, 3, 4, 5], { after: second.next });
    expect([last.changes.map(({ after }) => after), last.next]).toEqual([[atBirth], null]);
    for (const query of [{ after: 'zzz' }, { after: first.next, page: 1 }])
      await expect(page([1], query)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test.each([getSettings, listSettingsChanges])('nobody else gets anything from $name', async (query) => {
    const ask = await answering([created]);
    for (const other of [addresses.otherCreator, 'anonymous', 'operator:alice']) {
      await expect(ask(query, { params, actor: other })).rejects.toMatchObject({ code: 'NOT_TOKEN_CREATOR' });
    }
  });

  test.each([
    getSettings,
    listSettingsChanges,
  ])('there is nothing in $name without the token', async (query) => {
    const absent = await answering([]);
    await expect(absent(query, { params, actor })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    const gone = await answering([created, change(1), reverted]);
    await expect(gone(query, { params, actor })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
