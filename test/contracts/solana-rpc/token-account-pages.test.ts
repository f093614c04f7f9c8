// Responses of nodes with a mint's token accounts: complete, in pieces, malformed, or missing.
import { createServer, type ServerResponse } from 'node:http';
import { addressOf, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { afterEach, describe, expect, test } from 'vitest';
import { ListedAccounts } from '../../../src/adapters/solana-rpc/account-list-parser.ts';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { ChainAnswerInvalid, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import { listening } from '../../support/listening.ts';

const MINT = addressOf(new Uint8Array(32).fill(9));

interface Call {
  readonly method: string;
  readonly params: readonly [string, Readonly<Record<string, unknown>>];
}

type Node = (call: Call, response: ServerResponse) => unknown;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A node that answers `getEpochInfo` and leaves the rest to the test; what it returns is the result. */
async function nodeThat(answer: Node) {
  const asked: Call[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const call = JSON.parse(body) as Call & { readonly id: unknown };
    asked.push(call);
    const epoch = { epoch: 0, slotIndex: 7, slotsInEpoch: 432_000, absoluteSlot: 7, blockHeight: 7 };
    const result = call.method === 'getEpochInfo' ? epoch : answer(call, response);
    if (response.headersSent || response.destroyed) return;
    response.setHeader('content-type', 'application/json');
    const isError = typeof result === 'object' && result !== null && 'code' in result;
    response.end(
      JSON.stringify({ jsonrpc: '2.0', ...(isError ? { error: result } : { result }), id: call.id }),
    );
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, asked };
}

function entry(number: number) {
  const data = Buffer.alloc(165, number);
  return {
    pubkey: addressOf(new Uint8Array(32).fill(number)),
    account: {
      lamports: 2_074_080,
      owner: TOKEN_2022_PROGRAM,
      data: [data.toString('base64'), 'base64'],
      executable: false,
      rentEpoch: 0,
      space: 165,
    },
  };
}

const addressesOf = ({ accounts }: { readonly accounts: readonly { readonly address: string }[] }) =>
  accounts.map(({ address }) => address);
const NOT_FOUND = { code: -32_601, message: 'Method not found' };
const entries = [1, 2, 3, 4, 5].map(entry);
const addresses = entries.map(({ pubkey }) => pubkey);

describe('a page is read', () => {
  test.each<[string, unknown, bigint]>([
    [
      'with its context',
      { context: { slot: 42, apiVersion: '3' }, value: { accounts: entries, paginationKey: 'k', count: 5 } },
      42n,
    ],
    [
      'with its context behind it',
      { value: { paginationKey: 'k', accounts: entries }, context: { slot: 42 } },
      42n,
    ],
    [
      'without context, as of the slot asked for first',
      { accounts: entries, paginationKey: 'k', totalResults: 9 },
      7n,
    ],
  ])('%s', async (_name, answer, slot) => {
    const { url, asked } = await nodeThat(() => answer);
    const page = await createNodeChain({ url }).tokenAccounts(MINT, { changedSinceSlot: 5n });
    expect({ ...page, accounts: addressesOf(page) }).toEqual({
      slot,
      accounts: addresses,
      next: `${slot}/k`,
    });
    expect(page.accounts[1]?.account).toEqual({
      owner: TOKEN_2022_PROGRAM,
      lamports: 2_074_080n,
      data: Buffer.alloc(165, 2),
    });
    expect(asked[0]).toMatchObject({
      method: 'getProgramAccountsV2',
      params: [
        TOKEN_2022_PROGRAM,
        {
          encoding: 'base64',
          commitment: 'finalized',
          withContext: true,
          limit: 10_000,
          changedSinceSlot: 5,
          filters: [{ memcmp: { offset: 0, bytes: MINT } }],
        },
      ],
    });
    if (slot === 7n) expect(asked.at(-1)?.params[1]).toMatchObject({ minContextSlot: 7 });
  });

  test.each([null, undefined, ''])('and is the last one when the key is %j', async (paginationKey) => {
    const { url } = await nodeThat(() => ({ context: { slot: 42 }, value: { accounts: [], paginationKey } }));
    expect(await createNodeChain({ url }).tokenAccounts(MINT)).toEqual({
      slot: 42n,
      accounts: [],
      next: undefined,
    });
  });

  test('and is refused when the key leads to itself: the scan would never end', async () => {
    const { url } = await nodeThat(() => ({
      context: { slot: 42 },
      value: { accounts: [], paginationKey: 'k' },
    }));
    await expect(createNodeChain({ url }).tokenAccounts(MINT, { after: '42/k' })).rejects.toThrow(
      ChainAnswerInvalid,
    );
  });
});

describe('a node without pages', () => {
  const listing: Node = ({ method }) =>
    method === 'getProgramAccounts' ? { context: { slot: 42 }, value: entries } : NOT_FOUND;

  test('is asked for pages once, then for one list each time, which is given out in pages of one slot', async () => {
    const { url, asked } = await nodeThat(listing);
    const chain = createNodeChain({ url, scans: { accountsPerPage: 2 } });
    for (let scan = 0; scan < 2; scan += 1) {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await chain.tokenAccounts(MINT, after === undefined ? {} : { after });
        expect(page.slot).toBe(42n);
        found.push(...addressesOf(page));
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual(addresses);
    }
    const methods = asked.map(({ method }) => method).filter((method) => method !== 'getEpochInfo');
    expect(methods).toEqual(['getProgramAccountsV2', 'getProgramAccounts', 'getProgramAccounts']);
  });

  test('is what a node with pages is taken for that is asked for one answer, in that scan alone', async () => {
    const { url, asked } = await nodeThat(({ method }) =>
      method === 'getProgramAccounts'
        ? { context: { slot: 42 }, value: entries }
        : { context: { slot: 42 }, value: { accounts: entries, paginationKey: null } },
    );
    const chain = createNodeChain({ url, scans: { accountsPerPage: 3 } });
    const first = await chain.tokenAccounts(MINT, { inOneAnswer: true });
    const second = await chain.tokenAccounts(MINT, { inOneAnswer: true, after: first.next ?? '' });
    expect([...addressesOf(first), ...addressesOf(second)]).toEqual(addresses);
    expect([first.slot, second.slot, second.next]).toEqual([42n, 42n, undefined]);
    await chain.tokenAccounts(MINT);
    const methods = asked.map(({ method }) => method).filter((method) => method.startsWith('getProgram'));
    expect(methods).toEqual(['getProgramAccounts', 'getProgramAccountsV2']);
  });

  test('that refuses one answer says so', async () => {
    const refusal = { code: -32_010, message: 'excluded from account secondary indexes' };
    const { url } = await nodeThat(() => refusal);
    await expect(createNodeChain({ url }).tokenAccounts(MINT, { inOneAnswer: true })).rejects.toThrow(
      /excluded from account secondary indexes/,
    );
  });

  test('may say so with a status of its own', async () => {
    const { url } = await nodeThat((call, response) => {
      if (call.method === 'getProgramAccountsV2') response.statusCode = 404;
      return listing(call, response);
    });
    expect(addressesOf(await createNodeChain({ url }).tokenAccounts(MINT))).toEqual(addresses);
  });

  test('gives a list without context as of the slot asked for first', async () => {
    const { url } = await nodeThat(({ method }) => (method === 'getProgramAccounts' ? entries : NOT_FOUND));
    const page = await createNodeChain({ url }).tokenAccounts(MINT);
    expect({ ...page, accounts: addressesOf(page) }).toEqual({
      slot: 7n,
      accounts: addresses,
      next: undefined,
    });
  });

  test('keeps no list for ever: a scan that stood still, or goes back, has to begin again', async () => {
    const { url } = await nodeThat(listing);
    const chain = createNodeChain({ url, scans: { accountsPerPage: 2 } });
    const first = await chain.tokenAccounts(MINT);
    const second = await chain.tokenAccounts(MINT, { after: first.next ?? '' });
    await chain.tokenAccounts(MINT, { after: second.next ?? '' });
    await expect(chain.tokenAccounts(MINT, { after: first.next ?? '' })).rejects.toThrow(ChainUnavailable);
    await expect(chain.tokenAccounts(MINT, { after: 'unknown' })).rejects.toThrow(ChainUnavailable);
  });
});

describe('a scan is unavailable when the node', () => {
  test.each<[string, Node]>([
    ['is behind', () => ({ code: -32_016, message: 'Minimum context slot has not been reached' })],
    ['has enough of us', (_call, response) => response.writeHead(429).end('too many requests')],
    ['has broken down', (_call, response) => response.writeHead(503).end('<html>')],
    ['cuts the connection', (_call, response) => response.destroy()],
    [
      'stops in the middle of the list',
      (_call, response) =>
        response
          .writeHead(200)
          .end(`{"jsonrpc":"2.0","result":{"value":{"accounts":[${JSON.stringify(entry(1))},`),
    ],
    [
      'stops before the end and says no more',
      (_call, response) => response.writeHead(200).write('{"jsonrpc":'),
    ],
  ])('%s', async (_name, node) => {
    const { url } = await nodeThat(node);
    const chain = createNodeChain({ url, scans: { timeout: 500 } });
    await expect(chain.tokenAccounts(MINT)).rejects.toThrow(ChainUnavailable);
  });
});

describe('an answer makes no sense when', () => {
  test.each<[string, Node]>([
    ['it is something else', (_call, response) => response.writeHead(200).end('<html></html>')],
    ['it holds no list', () => ({ context: { slot: 42 }, value: null })],
    [
      'an account has no data',
      () => ({ context: { slot: 42 }, value: { accounts: [{ pubkey: MINT, account: {} }] } }),
    ],
    ['an entry is no account', () => ({ context: { slot: 42 }, value: { accounts: ['text', 5, null] } })],
    [
      'an account is in another encoding',
      () => ({
        value: { accounts: [{ ...entry(1), account: { ...entry(1).account, data: 'abc' } }] },
        context: { slot: 1 },
      }),
    ],
    [
      'an entry is longer than accounts are',
      () => ({ context: { slot: 1 }, value: { accounts: ['x'.repeat(200_000)] } }),
    ],
    [
      'there is far more than the list',
      () => ({ context: { slot: 1, noise: 'x'.repeat(200_000) }, value: { accounts: [] } }),
    ],
  ])('%s', async (_name, node) => {
    const { url } = await nodeThat(node);
    await expect(createNodeChain({ url }).tokenAccounts(MINT)).rejects.toThrow(ChainAnswerInvalid);
  });
});

describe('an answer that arrives in pieces', () => {
  const text = JSON.stringify({
    jsonrpc: '2.0',
    result: {
      context: { slot: 5, apiVersion: 'a "quoted\\\\" [version] {ü}' },
      value: { accounts: [{ a: 'b]}"\\,' }, [1, [2]], 'x,y', 7, null, {}], paginationKey: 'ké' },
    },
    id: 1,
  });

  test.each([1, 2, 3, 7, 64, 10_000])('gives the same entries in pieces of %i bytes', (size) => {
    const listed = new ListedAccounts();
    const bytes = Buffer.from(text);
    const found: unknown[] = [];
    for (let from = 0; from < bytes.length; from += size) {
      for (const each of listed.entriesIn(bytes.subarray(from, from + size))) found.push(JSON.parse(each));
    }
    expect(found).toEqual([{ a: 'b]}"\\,' }, [1, [2]], 'x,y', 7, null, {}]);
    expect(listed.isComplete).toBe(true);
    const { result } = JSON.parse(text) as { result: { value: object } };
    expect(listed.around()).toEqual({
      jsonrpc: '2.0',
      result: { ...result, value: { ...result.value, accounts: [] } },
      id: 1,
    });
  });

  test('tells its slot before its list has ended', () => {
    const listed = new ListedAccounts();
    expect(listed.entriesIn(Buffer.from('{"result":{"context":{"slot":5},"value":[{"a":1},{"b"'))).toEqual([
      '{"a":1}',
    ]);
    expect(listed.isComplete).toBe(false);
    expect(listed.around()).toEqual({ result: { context: { slot: 5 }, value: [] } });
  });
});
