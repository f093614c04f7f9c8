/** Operator routes for distributions: halt, resume, request runs, and read the state of each with its reason. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { RejectionCode } from '../../src/streams/rejections.ts';
import { type CallOptions, createClient } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { OPERATOR_KEY, OPERATOR_NAME } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { haltWithWrongBooks } from '../support/wrong-books.ts';

const reason = 'The node and its witness disagree.';

interface Standing {
  readonly tokenId: string;
  readonly openRunId: string | null;
  readonly requested: boolean;
  readonly halted: { readonly code: string; readonly reason: string } | null;
}

interface Listed extends Omit<Standing, 'halted' | 'openRunId'> {
  readonly state: string;
  readonly halted: { readonly by: string; readonly since: string } | null;
  readonly progress?: object;
}

interface Page {
  readonly allHalted: { readonly reason: string; readonly by: string } | null;
  readonly distributions: readonly Listed[];
  readonly next: string | null;
}

let service: TestService;
let creator: Creator;
let token: SubmittedToken;

beforeAll(async () => {
  // Events that the distributor appends would be counted among those of the calls.
  service = await openTestService({ ROLES: 'api,projector,settler,publisher' });
  creator = await openCreator(service);
  token = await creator.createToken();
});

const operating = (options: CallOptions = {}): CallOptions => ({ operatorKey: OPERATOR_KEY, ...options });

function act<Answer = Standing>(path: string, why = reason): Promise<Answer> {
  return creator.client.ask<Answer>(
    'POST',
    `/operator/distributions/${path}`,
    operating({ json: { reason: why } }),
  );
}

function refused(code: RejectionCode, path: string) {
  const options = operating({ json: { reason } });
  return creator.client.refusal(code, 'POST', `/operator/distributions/${path}`, options);
}

function list(query = ''): Promise<Page> {
  return creator.client.ask<Page>('GET', `/operator/distributions${query}`, operating());
}

/** The types of what `work` records. */
async function recordedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = service.recorded.length;
  await work();
  return service.recorded.slice(before).map(({ type }) => type);
}

describe('one token', () => {
  test('is halted once and resumed once, by its id or its mint, and the list says by whom and why', async () => {
    const { id } = token.token;
    expect(await recordedBy(() => act(`${id}/resume`))).toEqual([]);
    expect(await recordedBy(() => act(`${token.mintAddress}/halt`))).toEqual(['DistributionHalted']);
    expect(await recordedBy(() => act(`${id}/halt`, 'Another.'))).toEqual([]);
    expect(await act(`${id}/halt`, 'Another.')).toEqual({
      tokenId: id,
      openRunId: null,
      requested: false,
      requestReason: null,
      halted: { code: 'OPERATOR', reason },
    });
    const { distributions } = await list('?state=halted');
    expect(distributions).toMatchObject([
      {
        tokenId: id,
        mintAddress: token.mintAddress,
        name: token.token.name,
        symbol: token.token.symbol,
        state: 'halted',
        halted: { code: 'OPERATOR', reason, by: OPERATOR_NAME, since: expect.any(String) },
      },
    ]);
    await refused('DISTRIBUTION_HALTED', `${id}/run`);
    expect(await recordedBy(() => act(`${id}/resume`))).toEqual(['DistributionResumed']);
    expect((await list('?state=halted')).distributions).toEqual([]);
  });
});

test('the reason of a halt stays with operators', async () => {
  const secret = 'The creator is being looked into.';
  await act(`${token.token.id}/halt`, secret);
  const { distributions } = await list('?state=halted');
  expect(JSON.stringify(distributions)).toContain(secret);
  const answers = await Promise.all(
    [`/tokens/${token.mintAddress}`, '/tokens', '/ready'].map((path) => creator.client.call('GET', path)),
  );
  for (const { bytes } of answers) expect(Buffer.from(bytes).toString()).not.toContain(secret);
  await act(`${token.token.id}/resume`);
});

test('readiness says that nobody distributes, which degrades the service, and it goes on answering', async () => {
  await act(`${token.token.id}/halt`);
  const { status, body } = await createClient(service.url).call<{
    readonly checks: readonly { readonly name: string; readonly reason?: string }[];
  }>('GET', '/ready');
  expect(status).toBe(200);
  expect(body.checks.find(({ name }) => name === 'distributions')).toMatchObject({
    ok: false,
    reason: 'no process distributes; start one with the role `distributor` (ROLES)',
  });
  await act(`${token.token.id}/resume`);
});

describe('balances that were recorded wrongly', () => {
  const correct = (tokenId: string, body: object) =>
    creator.client.call<Standing>(
      'POST',
      `/operator/distributions/${tokenId}/correct`,
      operating({ json: { tokenAmount: '0', lamports: '0', reason, ...body } }),
    );

  test('are corrected by what an operator states and the chain shows, and by nothing else', async () => {
    const tokenId = await haltWithWrongBooks(creator, service);
    for (const wrong of [{ lamports: '3000000000' }, { tokenAmount: '1' }])
      expect(await correct(tokenId, wrong)).toMatchObject({
        status: 409,
        body: { code: 'CORRECTION_REFUSED' },
      });
    expect(await correct(tokenId, {})).toMatchObject({ status: 200, body: { tokenId, halted: {} } });
    await act(`${tokenId}/resume`);
    expect(await correct(tokenId, {})).toMatchObject({ status: 409 });
  });
});
