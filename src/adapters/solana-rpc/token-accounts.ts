/**
 * Reads the token accounts of a mint page by page: with `getProgramAccountsV2` where the node has it, otherwise, or if asked
 * for, out of one long answer of `getProgramAccounts`, which is taken from the node as it is asked for.
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
import { METHOD_NOT_FOUND, NodeRefusal } from './json-rpc.ts';
import { AnswerTooLong, ListedAccounts } from './listed-accounts.ts';
import { accountIn, isSlot } from './node-answers.ts';
import { latestOf } from './seen-slots.ts';

/** How a node is asked for an answer that is read while it arrives. */
export type OpenAnswer = (
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>;

export interface TokenAccountReaderOptions {
  readonly openAnswer: OpenAnswer;
  /** The latest finalized slot; rejects if it is before the least. */
  readonly finalizedSlot: (atLeastSlot: bigint | undefined) => Promise<bigint>;
  /** Throws if the answer's slot is before the least. */
  readonly requireReached: (slot: bigint, least: bigint | undefined, method: string) => void;
  /** Milliseconds for one page, and for which an answer waits to be read on; 60,000 unless given. */
  readonly timeout?: number;
  /** 10,000 unless given, the most that a node takes. */
  readonly accountsPerPage?: number;
}

type Options = NonNullable<Parameters<Chain['tokenAccounts']>[1]>;

/** Longer than any token account: nobody makes a scan heavy with accounts of megabytes. */
const MOST_DATA = 1_024;

export function createTokenAccountReader(options: TokenAccountReaderOptions): Chain['tokenAccounts'] {
  const { openAnswer, finalizedSlot, requireReached, timeout = 60_000, accountsPerPage = 10_000 } = options;
  const listings = new Map<string, Listing>();
  let hasPages = true;
  let tellsSlots = true;

  function configOf(mint: string) {
    return {
      encoding: 'base64',
      commitment: 'finalized',
      withContext: true,
      filters: [{ memcmp: { offset: 0, bytes: mint } }],
      dataSlice: { offset: 0, length: MOST_DATA },
    };
  }

  async function page(mint: string, asked: Options): Promise<TokenAccountPage> {
    const { changedSinceSlot } = asked;
    const after = asked.after === undefined ? undefined : placeIn(asked.after);
    const least = latestOf(asked.atLeastSlot, changedSinceSlot, after?.first);
    const dated = tellsSlots ? undefined : await finalizedSlot(least);
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
    // Such a node is asked for its slot first: the page shows that slot or a later one.
    tellsSlots = false;
    return page(mint, asked);
  }

  async function firstOfListing(mint: string, asked: Options): Promise<TokenAccountPage> {
    const least = await finalizedSlot(latestOf(asked.atLeastSlot, asked.changedSinceSlot));
    const answer = createAnswer(openAnswer, 'getProgramAccounts', [
      TOKEN_2022_PROGRAM,
      { ...configOf(mint), minContextSlot: Number(least) },
    ]);
    const name = randomUUID();
    const listing = openListing(answer, { least, timeout, accountsPerPage, requireReached }, () =>
      listings.delete(name),
    );
    listings.set(name, listing);
    return named(name, 0, await listing(0));
  }

  async function nextOfListing(after: string): Promise<TokenAccountPage> {
    const [name = '', number = ''] = after.split('/');
    const listing = listings.get(name);
    if (listing === undefined)
      throw new ChainUnavailable('the list of token accounts has expired: start the scan again');
    return named(name, Number(number), await listing(Number(number)));
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

/** `next` of a page: the slot of the scan's first page, before which no later one may be, and the node's own key. */
function placeIn(after: string): { readonly first: bigint; readonly key: string } {
  const [, first, key] = /^(\d{1,20})\/(.+)$/s.exec(after) ?? [];
  if (first === undefined || key === undefined)
    throw new ChainUnavailable('this place is of no list of token accounts: begin again');
  return { first: BigInt(first), key };
}

interface ListedPage extends Omit<TokenAccountPage, 'next'> {
  readonly isLast: boolean;
}

/** Gives a page by its number. */
type Listing = (number: number) => Promise<ListedPage>;

type ListedAccount = TokenAccountPage['accounts'][number];

function named(name: string, number: number, { slot, accounts, isLast }: ListedPage): TokenAccountPage {
  return { slot, accounts, next: isLast ? undefined : `${name}/${number + 1}` };
}

/** One long answer, given out in pages. The latest page can be had again, for a caller who did not receive it. */
function openListing(
  answer: Answer,
  {
    least,
    timeout,
    accountsPerPage,
    requireReached,
  }: Required<Pick<TokenAccountReaderOptions, 'timeout' | 'accountsPerPage' | 'requireReached'>> & {
    readonly least: bigint;
  },
  forget: () => void,
): Listing {
  let latest: { readonly number: number; readonly page: Promise<ListedPage> } | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    answer.abort();
    forget();
  }

  async function next(): Promise<ListedPage> {
    clearTimeout(idle);
    try {
      const accounts = await answer.take(accountsPerPage, timeout);
      const slot = answer.slot() ?? least;
      requireReached(slot, least, 'getProgramAccounts');
      idle = setTimeout(end, timeout).unref();
      return { slot, accounts, isLast: answer.hasEnded() };
    } catch (error) {
      end();
      throw error;
    }
  }

  return async (number) => {
    if (latest?.number === number) return latest.page;
    if (number !== (latest?.number ?? -1) + 1)
      throw new ChainUnavailable('the list of token accounts has gone on: begin again');
    latest = { number, page: next() };
    return latest.page;
  };
}

/** A node's answer as it arrives. */
interface Answer {
  /** The next accounts, fewer than `count` only at the end. */
  take(count: number, timeout: number): Promise<ListedAccount[]>;
  /** Undefined if the node does not give it, or not before the accounts. */
  slot(): bigint | undefined;
  paginationKey(): string | undefined;
  hasEnded(): boolean;
  abort(): void;
}

function createAnswer(open: OpenAnswer, method: string, params: readonly unknown[]): Answer {
  const aborting = new AbortController();
  const listed = new ListedAccounts();
  const waiting: string[] = [];
  let pieces: AsyncIterator<Uint8Array> | undefined;
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

  async function readPiece(from: AsyncIterator<Uint8Array>): Promise<void> {
    const { done, value } = await from.next();
    try {
      if (done !== true) {
        waiting.push(...listed.entriesIn(value));
        return;
      }
      ended = true;
      if (!listed.isComplete) throw new ChainUnavailable('the chain node cut its answer short');
      result();
    } catch (error) {
      if (error instanceof AnswerTooLong) throw senseless();
      throw error;
    }
  }

  return {
    async take(count, timeout) {
      const timer = setTimeout(() => aborting.abort(), timeout);
      try {
        pieces ??= (await open(method, params, aborting.signal))[Symbol.asyncIterator]();
        const accounts: ListedAccount[] = [];
        for (;;) {
          for (const entry of waiting.splice(0, count - accounts.length)) accounts.push(listedAccount(entry));
          if (ended || accounts.length === count) return accounts;
          await readPiece(pieces);
          // Pieces may be there faster than they are parsed.
          await nextTurn();
        }
      } finally {
        clearTimeout(timer);
      }
    },
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
  return new ChainAnswerInvalid('the chain node described token accounts in a way that makes no sense');
}
