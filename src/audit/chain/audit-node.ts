/**
 * A Solana node as an audit asks it: at `finalized` only, a few calls at a time, and slower where the node wants it. It
 * shares no code with the service's own reader, since what both took from one place both would have wrong.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, decodeTransaction } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { ChainAccount, LandedTransaction, SignatureStatus } from '../../ports/chain.ts';
import type { AuditedChain } from '../chain-history.ts';

export interface NodeTransaction extends LandedTransaction {
  /** ISO 8601, UTC; undefined where the node does not know it. */
  readonly blockTime: string | undefined;
}

export interface AuditNode extends AuditedChain {
  /** Without path and query: these may hold keys. */
  readonly host: string;
  genesisHash(): Promise<string>;
  epoch(): Promise<bigint>;
  /** The first slot of which the node still has transactions. */
  firstSlot(): Promise<bigint>;
  transaction(
    signature: string,
    commitment?: 'finalized' | 'confirmed',
  ): Promise<NodeTransaction | undefined>;
  /** In the order of the signatures; undefined if the node does not know the signature. */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | undefined)[]>;
  balancesAfter(signature: string): Promise<ReadonlyMap<string, bigint> | undefined>;
}

export interface AuditNodeOptions {
  readonly url: string;
  /** Calls under way at a time; 8 unless given. */
  readonly atOnce?: number;
  /** Milliseconds for one answer; 20,000 unless given. */
  readonly timeout?: number;
  /** Milliseconds for which a node that wants fewer calls is waited for; 10 minutes unless given. */
  readonly patience?: number;
}

/** The node does not answer, or not in a way that makes sense. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

const ACCOUNTS_A_CALL = 100;
const STATUSES_A_CALL = 256;
const TRIES = 5;
/** Milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
const TOO_MANY_REQUESTS = 429;
/** What nodes answer in a body of status 200 when they want fewer calls. */
const RATE_LIMITED = new Set([-32_429, TOO_MANY_REQUESTS]);
const BALANCES_KEPT = 1_000;

class TooManyCalls extends Error {
  /** Milliseconds, if the node says. */
  readonly wait: number | undefined;

  constructor(wait: number | undefined) {
    super('the node wants fewer calls');
    this.wait = wait;
  }
}

interface ShownTransaction {
  readonly slot: number;
  readonly blockTime?: number | null;
  readonly transaction: readonly [string, string];
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly logMessages?: readonly string[] | null;
    readonly postTokenBalances?:
      | readonly { readonly accountIndex: number; readonly uiTokenAmount: { readonly amount: string } }[]
      | null;
  };
}

interface ShownAccount {
  readonly owner: string;
  readonly lamports: number | bigint;
  readonly data: readonly [string, string];
}

export function createAuditNode(options: AuditNodeOptions): AuditNode {
  const { url, atOnce = 8, timeout = 20_000, patience = 600_000 } = options;
  const { host } = new URL(url);
  const limit = pLimit(atOnce);
  const balances = new LRUCache<string, ReadonlyMap<string, bigint>>({ max: BALANCES_KEPT });
  /** No call is made before: all wait when one was told to. */
  let notBefore = 0;

  async function once(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeout),
    });
    const text = await response.text();
    if (response.status === TOO_MANY_REQUESTS) throw new TooManyCalls(retryAfter(response.headers));
    if (!response.ok)
      throw new NodeUnavailable(`the node at ${host} answered ${response.status} to ${method}`);
    const answer = answerOf(text);
    if (answer === undefined)
      throw new NodeUnavailable(`the node at ${host} answered ${method} with something that is not JSON-RPC`);
    if (answer.error === undefined) return answer.result;
    if (RATE_LIMITED.has(answer.error.code)) throw new TooManyCalls(undefined);
    throw new NodeUnavailable(`the node at ${host} refused ${method}: ${answer.error.message}`);
  }

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    let [tries, waited] = [0, 0];
    for (;;) {
      const wait = notBefore - performance.now();
      if (wait > 0) await pause(wait);
      try {
        return await once(method, params);
      } catch (error) {
        const shortest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries);
        tries += 1;
        if (error instanceof TooManyCalls) {
          const asked = error.wait ?? shortest;
          waited += asked;
          if (waited > patience)
            throw new NodeUnavailable(`the node at ${host} wants fewer calls than an audit needs`);
          notBefore = Math.max(notBefore, performance.now() + asked);
        } else if (tries < TRIES) {
          await pause(shortest);
        } else if (error instanceof NodeUnavailable) {
          throw error;
        } else {
          throw new NodeUnavailable(
            `the node at ${host} does not answer: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
    }
  }

  const call = (method: string, params: readonly unknown[] = []) => limit(() => ask(method, params));
  const FINALIZED = { commitment: 'finalized' } as const;

  async function transaction(signature: string): Promise<NodeTransaction | undefined> {
    const how = { ...FINALIZED, encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const shown = (await call('getTransaction', [signature, how])) as ShownTransaction | null;
    if (shown === null) return undefined;
    const wire = Buffer.from(shown.transaction[0], 'base64');
    balances.set(signature, balancesOf(wire, shown));
    const { slot, blockTime, meta } = shown;
    return {
      slot,
      wire,
      fee: BigInt(meta.fee),
      error: meta.err === null ? undefined : JSON.stringify(meta.err),
      logs: meta.logMessages ?? [],
      blockTime: typeof blockTime === 'number' ? new Date(blockTime * 1_000).toISOString() : undefined,
    };
  }

  async function accountsNow(addresses: readonly string[], slice: object = {}) {
    const how = { ...FINALIZED, encoding: 'base64', ...slice };
    const { value } = (await call('getMultipleAccounts', [addresses, how])) as {
      readonly value: readonly (ShownAccount | null)[];
    };
    return value.map(accountOf);
  }

  return {
    host,
    transaction,
    genesisHash: async () => String(await call('getGenesisHash')),
    epoch: async () => BigInt(((await call('getEpochInfo', [FINALIZED])) as { epoch: number }).epoch),
    firstSlot: async () => BigInt((await call('getFirstAvailableBlock')) as number),
    async accounts(addresses) {
      return (await Promise.all(pagesOf(addresses, ACCOUNTS_A_CALL).map((page) => accountsNow(page)))).flat();
    },
    async accountsAt(addresses, _commitment, { mostData }) {
      return { accounts: await accountsNow(addresses, { dataSlice: { offset: 0, length: mostData } }) };
    },
    async signaturesOf(address, { before, limit: most }) {
      const how = { ...FINALIZED, limit: most, ...(before === undefined ? {} : { before }) };
      return (await call('getSignaturesForAddress', [address, how])) as readonly {
        readonly signature: string;
      }[];
    },
    async statuses(signatures) {
      const pages = pagesOf(signatures, STATUSES_A_CALL).map(async (page) => {
        const { value } = (await call('getSignatureStatuses', [
          page,
          { searchTransactionHistory: true },
        ])) as {
          readonly value: readonly ({
            readonly slot: number;
            readonly err: unknown;
            readonly confirmations: number | null;
            readonly confirmationStatus?: SignatureStatus['commitment'] | null;
          } | null)[];
        };
        return value.map((status): SignatureStatus | undefined =>
          status === null
            ? undefined
            : {
                slot: status.slot,
                error: status.err === null ? undefined : JSON.stringify(status.err),
                // Nodes omit it for transactions rooted long ago.
                commitment:
                  status.confirmationStatus ?? (status.confirmations === null ? 'finalized' : 'processed'),
              },
        );
      });
      return (await Promise.all(pages)).flat();
    },
    async balancesAfter(signature) {
      if (!balances.has(signature)) await transaction(signature);
      return balances.get(signature);
    },
  };
}

/** What each token account of the transaction held behind it. */
function balancesOf(wire: Uint8Array, { meta }: ShownTransaction): ReadonlyMap<string, bigint> {
  const decoded = decodeTransaction(wire);
  const keys = decoded.ok ? decoded.transaction.message.accountKeys : [];
  return new Map(
    (meta.postTokenBalances ?? []).flatMap(({ accountIndex, uiTokenAmount }) => {
      const key = keys[accountIndex];
      return key === undefined ? [] : [[addressOf(key), BigInt(uiTokenAmount.amount)]];
    }),
  );
}

function accountOf(shown: ShownAccount | null): ChainAccount | undefined {
  if (shown === null) return undefined;
  const { owner, lamports, data } = shown;
  return { owner, lamports: BigInt(lamports), data: Buffer.from(data[0], 'base64') };
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function answerOf(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)
      ? (answer as Answer)
      : undefined;
  } catch {
    return undefined;
  }
}

/** In milliseconds; the header says seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_PAUSE) : undefined;
}

function pagesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const pages: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) pages.push(items.slice(from, from + size));
  return pages;
}
