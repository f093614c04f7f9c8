/** The Chain port over any Solana JSON-RPC node, through web3.js. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountInfo,
  Connection,
  PublicKey,
  SendTransactionError,
  SolanaJSONRPCError,
  type TransactionError,
} from '@solana/web3.js';
import {
  type Chain,
  type ChainAccount,
  ChainAnswerInvalid,
  ChainUnavailable,
  type Commitment,
  type LandedTransaction,
  type Simulation,
} from '../../ports/chain.ts';
import {
  createTokenAccountReader,
  METHOD_NOT_FOUND,
  type TokenAccountReaderOptions,
} from './token-accounts.ts';

export interface Web3ChainOptions {
  readonly url: string;
  /** Timeout of one call in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** Limits of scans of token accounts. */
  readonly scans?: Pick<TokenAccountReaderOptions, 'timeout' | 'accountsPerPage'>;
}

/** JSON-RPC codes of a node that cannot answer now: behind, unhealthy, slot not reached, not available yet. */
const NODE_NOT_READY = new Set<unknown>([-32004, -32005, -32007, -32014, -32016]);
const UNSUPPORTED_VERSION = -32015;
const UNHEALTHY = -32005;
const methodNotFound = new RegExp(`"code"\\s*:\\s*${METHOD_NOT_FOUND}\\b`);
const ACCOUNTS_PER_CALL = 100;
const STATUSES_PER_CALL = 256;

export function createWeb3Chain({ url, timeout = 10_000, scans = {} }: Web3ChainOptions): Chain {
  // Nothing else of the address: paths and queries hold keys.
  const { host } = new URL(url);
  /** Includes the body: an answer that ends or stalls half-way counts as missing. */
  const fetchInTime: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(timeout) });
      const { status, statusText, headers } = response;
      const text = await response.text();
      if (response.ok && !isJsonRpc(text)) {
        throw new ChainAnswerInvalid(
          `the chain node at ${host} answers with something that is not JSON-RPC (${nameOf(text, headers)}): is CHAIN_URL the address of a Solana node?`,
        );
      }
      return new Response(text, { status, statusText, headers });
    } catch (error) {
      if (error instanceof ChainAnswerInvalid) throw error;
      throw unavailable(error);
    }
  };
  const unavailable = (error: unknown) =>
    new ChainUnavailable(`the chain node at ${host} does not answer: ${reasonOf(error)}`);
  const connection = new Connection(url, {
    commitment: 'confirmed',
    fetch: fetchInTime,
    disableRetryOnRateLimit: true,
  });

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw asChainError(error, host);
    }
  }

  /** For calls whose answers or errors web3.js would change. */
  async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetchInTime(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    if (!response.ok) throw new ChainUnavailable(`the chain node at ${host} answered ${response.status}`);
    const answer = JSON.parse(text) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (answer.error) throw new SolanaJSONRPCError(answer.error, method);
    return answer.result;
  }

  /** An answer that may be too long to wait for its end. */
  async function openAnswer(method: string, params: readonly unknown[], signal: AbortSignal) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal,
      });
      if (!response.ok) {
        // Some nodes tell that they do not know a method with a status of its own.
        if (methodNotFound.test(await response.text())) {
          throw new SolanaJSONRPCError({ code: METHOD_NOT_FOUND, message: 'Method not found' }, method);
        }
        throw new Error(`it answered ${response.status}`);
      }
      return piecesOf(response.body);
    } catch (error) {
      throw error instanceof SolanaJSONRPCError ? error : unavailable(error);
    }
  }

  async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    try {
      for await (const piece of body) yield piece;
    } catch (error) {
      throw unavailable(error);
    }
  }

  const tokenAccounts = createTokenAccountReader({
    openAnswer,
    finalizedSlot: async () => (await chain.tip('finalized')).slot,
    ...scans,
  });

  const chain: Chain = {
    genesisHash: () => ask(() => connection.getGenesisHash()),

    slotsBehind: () =>
      ask(async () => {
        try {
          await rpc('getHealth', []);
          return 0;
        } catch (error) {
          if (!(error instanceof SolanaJSONRPCError) || error.code !== UNHEALTHY) throw error;
          const { numSlotsBehind } = { ...(error.data as { numSlotsBehind?: unknown } | undefined) };
          return typeof numSlotsBehind === 'number' && numSlotsBehind > 0 ? numSlotsBehind : 1;
        }
      }),

    // `getLatestBlockhash` and `getBalance` would hide a failure's reason in the text of another error.
    recentBlockhash: () =>
      ask(async () => {
        const { blockhash, lastValidBlockHeight } = (await connection.getLatestBlockhashAndContext()).value;
        return { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
      }),

    tip: (commitment) =>
      ask(async () => {
        const { absoluteSlot, blockHeight } = await connection.getEpochInfo(commitment);
        if (blockHeight === undefined) throw new ChainAnswerInvalid('the chain node told no block height');
        return { slot: BigInt(absoluteSlot), blockHeight: BigInt(blockHeight) };
      }),

    epoch: () => ask(async () => BigInt((await connection.getEpochInfo('confirmed')).epoch)),

    accounts: (addresses, commitment, { atLeastSlot } = {}) =>
      ask(async () => {
        const config = atLeastSlot === undefined ? {} : { minContextSlot: Number(atLeastSlot) };
        const found: (ChainAccount | undefined)[] = [];
        for (let from = 0; from < addresses.length; from += ACCOUNTS_PER_CALL) {
          const keys = addresses
            .slice(from, from + ACCOUNTS_PER_CALL)
            .map((address) => new PublicKey(address));
          const answer = await connection.getMultipleAccountsInfo(keys, { commitment, ...config });
          for (const account of oneForEach(keys, answer)) found.push(chainAccount(account));
        }
        return found;
      }),

    accountsAt: (addresses, commitment, { atLeastSlot } = {}) =>
      ask(async () => {
        if (addresses.length > ACCOUNTS_PER_CALL) {
          throw new RangeError(`one slot shows at most ${ACCOUNTS_PER_CALL} accounts in one call`);
        }
        const keys = addresses.map((address) => new PublicKey(address));
        const { context, value } = await connection.getMultipleAccountsInfoAndContext(keys, {
          commitment,
          ...(atLeastSlot === undefined ? {} : { minContextSlot: Number(atLeastSlot) }),
        });
        return { slot: BigInt(context.slot), accounts: oneForEach(keys, value).map(chainAccount) };
      }),

    tokenAccounts: (mint, options) => ask(() => tokenAccounts(mint, options)),

    balance: (address) =>
      ask(async () => BigInt((await connection.getBalanceAndContext(new PublicKey(address))).value)),

    // web3.js turns a node's error into a rent of 0.
    rentExemption: (byteLength) =>
      ask(async () => wholeLamports(await rpc('getMinimumBalanceForRentExemption', [byteLength]))),

    recentPrices: (writable) =>
      ask(async () => {
        const fees = await connection.getRecentPrioritizationFees({
          lockedWritableAccounts: writable.map((address) => new PublicKey(address)),
        });
        return fees.map((fee) => BigInt(fee.prioritizationFee));
      }),

    // web3.js keeps only the text of a node's error, which does not show whether a retry helps.
    simulate: (wire, options) =>
      ask(async () =>
        readSimulation(
          await rpc('simulateTransaction', [
            Buffer.from(wire).toString('base64'),
            {
              encoding: 'base64',
              sigVerify: false,
              replaceRecentBlockhash: options?.anyBlockhash ?? false,
              commitment: 'confirmed',
            },
          ]),
        ),
      ),

    async send(wire) {
      try {
        await connection.sendEncodedTransaction(Buffer.from(wire).toString('base64'), {
          skipPreflight: true,
          maxRetries: 0,
        });
      } catch (error) {
        const known = asChainError(error, host);
        if (known instanceof ChainUnavailable) throw known;
      }
    },

    statuses: (signatures) =>
      ask(async () => {
        const found: (
          | { slot: number; error: string | undefined; commitment: 'processed' | Commitment }
          | undefined
        )[] = [];
        for (let from = 0; from < signatures.length; from += STATUSES_PER_CALL) {
          const asked = signatures.slice(from, from + STATUSES_PER_CALL);
          const { value } = await connection.getSignatureStatuses(asked, { searchTransactionHistory: true });
          for (const status of oneForEach(asked, value)) {
            found.push(
              status === null
                ? undefined
                : {
                    slot: status.slot,
                    error: errorText(status.err),
                    // Nodes omit it for transactions rooted long ago.
                    commitment:
                      status.confirmationStatus ??
                      (status.confirmations === null ? 'finalized' : 'processed'),
                  },
            );
          }
        }
        return found;
      }),

    signaturesOf: (address, { before, limit, commitment }) =>
      ask(async () => {
        const found = await connection.getSignaturesForAddress(
          new PublicKey(address),
          { limit, ...(before === undefined ? {} : { before }) },
          commitment,
        );
        return found.map(({ signature }) => signature);
      }),

    transaction: (signature, commitment) =>
      ask(async () => {
        const answer = await rpc('getTransaction', [
          signature,
          { encoding: 'base64', commitment, maxSupportedTransactionVersion: 1 },
        ]).catch((error: unknown) => {
          // A transaction version that this program does not know: it cannot be ours.
          if (error instanceof SolanaJSONRPCError && error.code === UNSUPPORTED_VERSION) return null;
          throw error;
        });
        return answer === null ? undefined : readTransaction(answer);
      }),

    airdrop: (address, lamports) =>
      ask(async () => {
        const before = await chain.balance(address);
        await connection.requestAirdrop(new PublicKey(address), Number(lamports));
        for (let tries = 0; tries < 100; tries++) {
          if ((await chain.balance(address)) >= before + lamports) return;
          await sleep(100);
        }
        throw new ChainUnavailable('the chain gave no lamports');
      }),
  };
  return chain;
}

/** A list of the wrong length would assign answers to the wrong requests. */
function oneForEach<Answer>(asked: readonly unknown[], answers: readonly Answer[]): readonly Answer[] {
  if (answers.length === asked.length) return answers;
  throw new ChainAnswerInvalid(
    `the chain node gave ${answers.length} answers to ${asked.length} questions in one`,
  );
}

function chainAccount(account: AccountInfo<Uint8Array> | null): ChainAccount | undefined {
  return account === null
    ? undefined
    : { owner: account.owner.toBase58(), lamports: BigInt(account.lamports), data: account.data };
}

function wholeLamports(answer: unknown): bigint {
  if (typeof answer === 'number' && Number.isSafeInteger(answer) && answer >= 0) return BigInt(answer);
  throw new ChainAnswerInvalid('the chain node gave no amount of lamports');
}

function readSimulation(answer: unknown): Simulation {
  const { value } = answer as {
    value?: { err?: TransactionError | string | null; logs?: unknown; unitsConsumed?: unknown };
  };
  if (value?.err === undefined)
    throw new ChainAnswerInvalid('the chain node gave no outcome of a simulation');
  return {
    error: errorText(value.err),
    logs: Array.isArray(value.logs) ? value.logs.map(String) : [],
    unitsConsumed: typeof value.unitsConsumed === 'number' ? value.unitsConsumed : 0,
  };
}

function readTransaction(answer: unknown): LandedTransaction {
  const { slot, transaction, meta } = answer as {
    slot?: unknown;
    transaction?: unknown;
    meta?: { err?: TransactionError | null; fee?: unknown; logMessages?: unknown } | null;
  };
  if (
    typeof slot !== 'number' ||
    !Array.isArray(transaction) ||
    typeof transaction[0] !== 'string' ||
    !meta
  ) {
    throw new ChainAnswerInvalid('the chain node described a transaction in a way that makes no sense');
  }
  return {
    slot,
    wire: new Uint8Array(Buffer.from(transaction[0], 'base64')),
    fee: wholeLamports(meta.fee),
    error: errorText(meta.err ?? null),
    logs: Array.isArray(meta.logMessages) ? meta.logMessages.map(String) : [],
  };
}

function errorText(error: TransactionError | string | null): string | undefined {
  return error === null ? undefined : JSON.stringify(error);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** What web3.js and the node say may quote the node's answer, but never its address. */
function asChainError(error: unknown, host: string): Error {
  if (error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid) return error;
  if (error instanceof SolanaJSONRPCError && NODE_NOT_READY.has(error.code))
    return new ChainUnavailable(error.message);
  if (error instanceof SolanaJSONRPCError || error instanceof SendTransactionError)
    return new ChainAnswerInvalid(error.message);
  // web3.js throws a plain error that begins with the node's HTTP status.
  if (error instanceof Error && /^(4\d\d|5\d\d) /.test(error.message))
    return new ChainUnavailable(`the chain node at ${host} answers ${error.message.slice(0, MOST_QUOTED)}`);
  return new ChainAnswerInvalid(
    `the chain node at ${host} gave an answer that makes no sense: ${reasonOf(error).slice(0, MOST_QUOTED)}`,
  );
}

/** Characters of a node's own words. */
const MOST_QUOTED = 200;

function isJsonRpc(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(answer) ? answer[0] : answer;
    return typeof first === 'object' && first !== null && ('result' in first || 'error' in first);
  } catch {
    return false;
  }
}

function nameOf(text: string, headers: Headers): string {
  return text === '' ? 'nothing' : (headers.get('content-type') ?? 'of no type');
}
