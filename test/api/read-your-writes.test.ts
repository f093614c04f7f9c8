/** Reads right after a write, at the same process and without `X-After-Position`, show that write. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let creator: Creator;
let created: SubmittedToken;
let path: string;

beforeAll(async () => {
  service = await openTestService();
  creator = await openCreator(service);
  created = await creator.createToken({ burnPercent: 10 });
  path = `/distribution/${created.token.id}/settings`;
});

interface History {
  readonly changes: readonly { readonly after: { readonly burnPercent?: number } }[];
}

describe('a read right after a write', () => {
  test('shows the change in the document and in its history', async () => {
    for (let percent = 11; percent <= 40; percent += 1) {
      const { status, body } = await creator.call('PATCH', path, { json: { burnPercent: percent } });
      expect(status).toBe(200);
      expect((await creator.call('GET', path)).body).toEqual(body);
      const history = await creator.call<History>('GET', `${path}/history?limit=1`);
      expect(history.body.changes[0]?.after).toEqual({ burnPercent: percent });
    }
  });

  test('shows changes made by many callers at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => openCreator(service)));
    await Promise.all(
      others.map(async (other) => {
        const token = await other.createToken();
        const listed = await other.call<{ tokens: readonly { mintAddress: string }[] }>('GET', '/tokens/me');
        expect(listed.body.tokens.map(({ mintAddress }) => mintAddress)).toEqual([token.mintAddress]);
      }),
    );
  });
});

test('a part of the service that reads a list right after an append sees it: the fourth open draft is refused', async () => {
  const { mintAddress } = created;
  const issue = (days: number) =>
    creator.call<{ code?: string }>('POST', '/featured/create-unsigned', {
      json: { tokenMint: mintAddress, days },
    });
  const answers: (string | number)[] = [];
  for (const days of [1, 2, 3, 4]) {
    const { status, body } = await issue(days);
    answers.push(body.code ?? status);
  }
  expect(answers).toEqual([200, 200, 200, 'TOO_MANY_DRAFTS']);
});
