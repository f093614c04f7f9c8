// A page far into a list may cost a store everything before it, so a process reads one such page at a time.
import { describe, expect, test } from 'vitest';
import type { Page, ReadModel } from '../../../src/kernel/ports/read-model.ts';
import type { RuntimeServices } from '../../../src/kernel/runtime/services.ts';
import { tokens } from '../../../src/projections/tokens.ts';
import { listHiddenTokens } from '../../../src/queries/list-hidden-tokens.ts';
import { listSettingsChanges } from '../../../src/queries/list-settings-changes.ts';
import { listTokens } from '../../../src/queries/list-tokens.ts';
import { numberedPage } from '../../../src/queries/pages.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { addresses } from '../../support/domain-examples.ts';

const nothing: Page = { items: [], total: 0 };

const page = async (): Promise<Page> => {
  throw new Error('a page was read');
};

const readElsewhere = (offset: number) =>
  numberedPage({ page }, tokens, 'all', '', { view: 'card', offset, limit: 20 });

/** Every page stays open until it is ended. */
function slowPages() {
  const ends: ((error?: Error) => void)[] = [];
  const page = () =>
    new Promise<Page>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(nothing) : reject(error)));
    });
  const read = (offset: number) =>
    numberedPage({ page }, tokens, 'all', '', { view: 'card', offset, limit: 20 });
  return { ends, read };
}

describe('a page by its number', () => {
  test.each([
    ['ends', undefined],
    ['fails', new Error('no answer')],
  ])('is refused beyond 10,000 items while another such page is read, until that one %s', async (_how, error) => {
    const { ends, read } = slowPages();
    const first = read(10_001);
    await expect(readElsewhere(900_000)).rejects.toMatchObject({
      code: 'SERVICE_BUSY',
      kind: 'unavailable',
      retryAfterSeconds: 1,
    });
    const shallow = [read(0), read(10_000)];
    expect(ends).toHaveLength(3);
    ends[0]?.(error);
    await first.catch(() => undefined);
    const next = read(10_001);
    for (const end of ends) end();
    expect(await Promise.all([...shallow, next])).toEqual([nothing, nothing, nothing]);
  });

  test.each([listTokens, listHiddenTokens, listSettingsChanges])('is bounded in $name', async (query) => {
    const { ends, read } = slowPages();
    const first = read(50_000);
    const tokenId = tokenIdOf(addresses.mint);
    const get = async () => ({ tokenId, creator: addresses.creator });
    const services = { readModel: { page, get } as unknown as ReadModel, clock: { now: () => new Date(0) } };
    const answer = query.run(
      { params: { tokenId }, query: { page: 102, limit: 100 }, body: undefined },
      {
        services: services as unknown as RuntimeServices,
        call: { actor: addresses.creator, requestId: 'request' },
      },
    );
    await expect(answer).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    ends[0]?.();
    await first;
  });
});
