/**
 * Reads the token accounts of a mint page by page: with `getProgramAccountsV2` if the node has it; otherwise, or on request,
 * from one long response of `getProgramAccounts`, which is streamed as pages are requested.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainUnavailable,
  type TokenAccountPage,
} from '../../kernel/ports/chain.ts';
import { ListedAccounts } from './account-list-parser.ts';
import { type JsonRpc, METHOD_NOT_FOUND, NodeRefusal } from './json-rpc.ts';
import { accountIn, isSlot } from './node-answers.ts';
import { latestOf } from './node-reads.ts';

export interface TokenAccountReaderOptions {
  readonly openAnswer: JsonRpc['open'];
  /** Latest finalized slot; rejects if it is before the minimum. */
  readonly finalizedSlot: (atLeastSlot: bigint | undefined) => Promise<bigint>;
  /** Throws if the response's slot is before the minimum. */
  readonly requireReached: (slot: bigint, least: bigint | undefined, method: string) => void;
  /** Timeout in milliseconds of a page, and of an unread response; default 60,000. */
  readonly timeout?: number;
  /** Default 10,000, the maximum of nodes. */
  readonly accountsPerPage?: number;
}

type Options = NonNullable<Parameters<Chain['tokenAccounts']>[1]>;

/** Longer than any token account; protects scans from accounts with megabytes. */
const MAX_DATA = 1_024;

export function createTokenAccountReader(options: TokenAccountReaderOptions): Chain['tokenAccounts'] {
  const { openAnswer, finalizedSlot, requireReached, timeout = 60_000, accountsPerPage = 10_000 } = options;
  const listings = new Map<string, Listing>();
  let hasPages = true;
  let returnsSlots = true;

  function configOf(mint: string) {
    return {
      encoding: 'base64',
      commitment: 'finalized',
      withContext: true,
      filters: [{ memcmp: { offset: 0, bytes: mint } }],
      dataSlice: { offset: 0, length: MAX_DATA },
    };
  }

  async function page(mint: string, asked: Options): Promise<TokenAccountPage> {
    const { changedSinceSlot } = asked;
    const after = asked.after === undefined ? undefined : placeIn(asked.after);
    const least = latestOf(asked.atLeastSlot, changedSinceSlot, after?.first);
    const dated = returnsSlots ? undefined : await finalizedSlot(least);
    const minContextSlot = dated ?? least;
    const answer = createAnswer(openAnswer, 'getProgramAccountsV2', [
      TOKEN_2022_PROGRAM,
      {
        ...configOf(mint),
        limit: accountsPerPage,
        ...(after !== undefined && { paginationKey: after.key }),
        ...(changedSinceSlot !== undefined && { changedSinceSlot: Number(changedSinceSlot) }),
        ...(minContextSlot !== undefined && { minContextSlot: Number(minContextSlot) }),
      },
    ]);
    try {
      const accounts = await answer.take(Number.POSITIVE_INFINITY, timeout);
      const key = answer.paginationKey();
      if (key !== undefined && key === after?.key) throw senseless();
      const slot = answer.slot() ?? dated;
      if (slot !== undefined) {
        requireReached(slot, least, 'getProgramAccountsV2');
        const next = key === undefined ? undefined : `${after?.first ?? slot}/${key}`;
        return { slot, accounts, next };
      }
    } finally {
      answer.abort();
    }
    // The node returns no slot, so its slot is read first: the page is from that slot or a later one.
    returnsSlots = false;
    return page(mint, asked);
  }

  async function firstOfListing(mint: string, asked: Options): Promise<TokenAccountPage> {
    const least = await finalizedSlot(latestOf(asked.atLeastSlot, asked.changedSinceSlot));
    const answer = createAnswer(openAnswer, 'getProgramAccounts', [
      TOKEN_2022_PROGRAM,
      { ...configOf(mint), minContextSlot: Number(least) },
    ]);
    const name = randomUUID();
    const listing = openListing(name, answer, least);
    listings.set(name, listing);
    return listing(0);
  }

  /** Splits one long response into pages, each readable once. */
  function openListing(name: string, answer: Answer, least: bigint): Listing {
    let given = 0;
    let idle: NodeJS.Timeout | undefined;

    function end(): void {
      answer.abort();
      listings.delete(name);
    }

    return async (number) => {
      if (number !== given)
        throw new ChainUnavailable('this page of token accounts was already read: start the scan again');
      given += 1;
      clearTimeout(idle);
      try {
        const accounts = await answer.take(accountsPerPage, timeout);
        const slot = answer.slot() ?? least;
        requireReached(slot, least, 'getProgramAccounts');
        idle = setTimeout(end, timeout).unref();
        return { slot, accounts, next: answer.hasEnded() ? undefined : `${name}/${given}` };
      } catch (error) {
        end();
        throw error;
      }
    };
  }

  async function nextOfListing(after: string): Promise<TokenAccountPage> {
    const [name = '', number = ''] = after.split('/');
    const listing = listings.get(name);
    if (listing === undefined)
      throw new ChainUnavailable('the list of token accounts has expired: start the scan again');
    return listing(Number(number));
  }

  return async (mint, asked = {}) => {
    if (hasPages && asked.inOneAnswer !== true) {
      try {
        return await page(mint, asked);
      } catch (error) {
        if (!(error instanceof NodeRefusal) || error.code !== METHOD_NOT_FOUND) throw error;
        hasPages = false;
      }
    }
    return asked.after === undefined ? firstOfListing(mint, asked) : nextOfListing(asked.after);
  };
}

/** `next` of a page: the slot of the scan's first page, which is the minimum for later ones, and the node's own key. */
function placeIn(after: string): { readonly first: bigint; readonly key: string } {
  const [, first, key] = /^(\d{1,20})\/(.+)$/s.exec(after) ?? [];
  if (first === undefined || key === undefined)
    throw new ChainUnavailable('the page key of the token accounts is invalid: start the scan again');
  return { first: BigInt(first), key };
}

type Listing = (number: number) => Promise<TokenAccountPage>;

type ListedAccount = TokenAccountPage['accounts'][number];

type Answer = ReturnType<typeof createAnswer>;

function createAnswer(open: JsonRpc['open'], method: string, params: readonly unknown[]) {
  const aborting = new AbortController();
  const listed = new ListedAccounts();
  const accounts = read();
  let ended = false;

  function result(): object {
    const { error, result: found } = Object(around()) as { error?: unknown; result?: unknown };
    if (error !== undefined && error !== null) throw new NodeRefusal(method, error);
    if (typeof found !== 'object' || found === null || !listed.hasBegun) throw senseless();
    return found;
  }

  function around(): unknown {
    try {
      return listed.around();
    } catch {
      throw senseless();
    }
  }

  async function* read(): AsyncGenerator<ListedAccount, void> {
    for await (const piece of await open(method, params, aborting.signal)) {
      for (const entry of listed.entriesIn(piece)) yield listedAccount(entry);
      // Pieces may be received faster than they are parsed.
      await nextTurn();
    }
    if (!listed.isComplete) throw new ChainUnavailable('the response of the chain node was truncated');
    result();
  }

  return {
    /** Reads the next accounts; fewer than `count` only at the end. */
    async take(count: number, timeout: number): Promise<ListedAccount[]> {
      const timer = setTimeout(() => aborting.abort(), timeout);
      try {
        const taken: ListedAccount[] = [];
        while (!ended && taken.length < count) {
          const { done, value } = await accounts.next();
          if (done === true) ended = true;
          else taken.push(value);
        }
        return taken;
      } finally {
        clearTimeout(timer);
      }
    },
    /** Undefined if the response has no slot, or not before the accounts. */
    slot() {
      const { context } = result() as { context?: { slot?: unknown } | null };
      if (typeof context?.slot !== 'number') return undefined;
      if (!isSlot(context.slot)) throw senseless();
      return BigInt(context.slot);
    },
    paginationKey() {
      const found = result() as { value?: unknown; paginationKey?: unknown };
      const { paginationKey } = Object(found.value ?? found) as { paginationKey?: unknown };
      return typeof paginationKey === 'string' && paginationKey !== '' ? paginationKey : undefined;
    },
    hasEnded: () => ended,
    abort: () => aborting.abort(),
  };
}

function listedAccount(entry: string): ListedAccount {
  const { pubkey, account } = Object(JSON.parse(entry)) as { pubkey?: unknown; account?: unknown };
  const found = accountIn(account ?? {});
  if (typeof pubkey !== 'string' || found === undefined) throw senseless();
  return { address: pubkey, account: found };
}

function senseless(): ChainAnswerInvalid {
  return new ChainAnswerInvalid('the chain node sent an invalid list of token accounts');
}
