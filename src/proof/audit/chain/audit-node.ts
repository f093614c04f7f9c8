/**
 * Solana node client of the audit: reads at `finalized`, with bounded concurrency and rate-limit backoff. Shares no code with
 * the service's chain client, so that one bug cannot hide in both.
 */
import { addressOf, decodeTransaction } from 'levy-solana-wire';
import type { ChainAccount, LandedTransaction, SignatureStatus } from '../../../kernel/ports/chain.ts';
import type { AuditedChain } from './landed-transactions.ts';
import { type AuditNodeOptions, createNodeCalls } from './node-calls.ts';

export interface NodeTransaction extends LandedTransaction {
  /** ISO 8601, UTC; undefined if the node does not return it. */
  readonly blockTime: string | undefined;
}

export interface AuditNode extends AuditedChain {
  /** Host name without path and query, which may contain API keys. */
  readonly host: string;
  genesisHash(): Promise<string>;
  epoch(): Promise<bigint>;
  /** First slot whose transactions the node still stores. */
  firstSlot(): Promise<bigint>;
  transaction(
    signature: string,
    commitment?: 'finalized' | 'confirmed',
  ): Promise<NodeTransaction | undefined>;
  /** Statuses in the order of `signatures`; undefined for signatures that the node does not have. */
  statuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | undefined)[]>;
}

const ACCOUNTS_PER_CALL = 100;
const STATUSES_PER_CALL = 256;
const FINALIZED = { commitment: 'finalized' } as const;

interface AuditedTransaction {
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

interface NodeAccount {
  readonly owner: string;
  readonly lamports: number | bigint;
  readonly data: readonly [string, string];
}

interface NodeStatus {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmations: number | null;
  readonly confirmationStatus?: SignatureStatus['commitment'] | null;
}

export function createAuditNode(options: AuditNodeOptions): AuditNode {
  const call = createNodeCalls(options);

  async function transaction(signature: string): Promise<NodeTransaction | undefined> {
    const how = { ...FINALIZED, encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const shown = (await call('getTransaction', [signature, how])) as AuditedTransaction | null;
    if (shown === null) return undefined;
    return landedOf(Buffer.from(shown.transaction[0], 'base64'), shown);
  }

  async function accountsNow(addresses: readonly string[], slice: object = {}) {
    const how = { ...FINALIZED, encoding: 'base64', ...slice };
    const { value } = (await call('getMultipleAccounts', [addresses, how])) as {
      readonly value: readonly (NodeAccount | null)[];
    };
    return value.map(accountOf);
  }

  async function statusesOf(signatures: readonly string[]) {
    const how = { searchTransactionHistory: true };
    const { value } = (await call('getSignatureStatuses', [signatures, how])) as {
      readonly value: readonly (NodeStatus | null)[];
    };
    return value.map(statusOf);
  }

  return {
    host: new URL(options.url).host,
    transaction,
    genesisHash: async () => String(await call('getGenesisHash')),
    epoch: async () => BigInt(((await call('getEpochInfo', [FINALIZED])) as { epoch: number }).epoch),
    firstSlot: async () => BigInt((await call('getFirstAvailableBlock')) as number),
    async accounts(addresses) {
      return (
        await Promise.all(pagesOf(addresses, ACCOUNTS_PER_CALL).map((page) => accountsNow(page)))
      ).flat();
    },
    async accountsAt(addresses, _commitment, { maxData }) {
      return { accounts: await accountsNow(addresses, { dataSlice: { offset: 0, length: maxData } }) };
    },
    async signaturesOf(address, { before, limit: most }) {
      const how = { ...FINALIZED, limit: most, before };
      return (await call('getSignaturesForAddress', [address, how])) as readonly {
        readonly signature: string;
      }[];
    },
    async statuses(signatures) {
      return (await Promise.all(pagesOf(signatures, STATUSES_PER_CALL).map(statusesOf))).flat();
    },
  };
}

function landedOf(wire: Uint8Array, shown: AuditedTransaction): NodeTransaction {
  const { slot, blockTime, meta } = shown;
  return {
    slot,
    wire,
    fee: BigInt(meta.fee),
    error: meta.err === null ? undefined : JSON.stringify(meta.err),
    logs: meta.logMessages ?? [],
    tokensAfter: balancesOf(wire, shown),
    blockTime: typeof blockTime === 'number' ? new Date(blockTime * 1_000).toISOString() : undefined,
  };
}

function statusOf(status: NodeStatus | null): SignatureStatus | undefined {
  if (status === null) return undefined;
  const { slot, err, confirmations, confirmationStatus } = status;
  return {
    slot,
    error: err === null ? undefined : JSON.stringify(err),
    // Nodes omit it for transactions rooted long ago.
    commitment: confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed'),
  };
}

/** Balances of the transaction's token accounts after it. */
function balancesOf(wire: Uint8Array, { meta }: AuditedTransaction): ReadonlyMap<string, bigint> {
  const decoded = decodeTransaction(wire);
  const keys = decoded.ok ? decoded.transaction.message.accountKeys : [];
  return new Map(
    (meta.postTokenBalances ?? []).flatMap(({ accountIndex, uiTokenAmount }) => {
      const key = keys[accountIndex];
      return key === undefined ? [] : [[addressOf(key), BigInt(uiTokenAmount.amount)]];
    }),
  );
}

function accountOf(shown: NodeAccount | null): ChainAccount | undefined {
  if (shown === null) return undefined;
  const { owner, lamports, data } = shown;
  return { owner, lamports: BigInt(lamports), data: Buffer.from(data[0], 'base64') };
}

function pagesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const pages: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) pages.push(items.slice(from, from + size));
  return pages;
}
