/** The Chain port over one Solana node, by JSON-RPC. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountsAtSlot,
  type Chain,
  type ChainAccount,
  ChainBehind,
  ChainUnavailable,
  type Commitment,
  type SignatureStatus,
} from '../../ports/chain.ts';
import { asChainError, createJsonRpc, NodeRefusal } from './json-rpc.ts';
import {
  accountIn,
  atSlot,
  blockhashIn,
  epochIn,
  historyIn,
  lamportsIn,
  oneForEach,
  pricesIn,
  simulationIn,
  statusIn,
  textIn,
  transactionIn,
} from './node-answers.ts';
import { latestOf, type SeenSlots, unseenSlots } from './seen-slots.ts';
import { slotMillisecondsOf } from './slot-milliseconds.ts';
import { createTokenAccountReader, type TokenAccountReaderOptions } from './token-accounts.ts';

export interface Web3ChainOptions {
  readonly url: string;
  /** Milliseconds of one call until the end of its answer; 10,000 unless given. */
  readonly timeout?: number;
  /** Limits of scans of token accounts. */
  readonly scans?: Pick<TokenAccountReaderOptions, 'timeout' | 'accountsPerPage'>;
  /** Shared by the nodes of one cluster: what lies before is refused with `ChainUnavailable`. */
  readonly seen?: SeenSlots;
}

const UNSUPPORTED_VERSION = -32015;
const UNHEALTHY = -32005;
const ACCOUNTS_PER_CALL = 100;
const STATUSES_PER_CALL = 256;

export function createWeb3Chain(options: Web3ChainOptions): Chain {
  const { url, timeout = 10_000, scans = {}, seen = unseenSlots } = options;
  const rpc = createJsonRpc({ url, timeout });
  const { host } = rpc;

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw asChainError(error, host);
    }
  }

  /** What an answer must have reached. */
  function leastOf(commitment: Commitment, atLeastSlot?: bigint): bigint | undefined {
    return latestOf(seen.least(commitment), atLeastSlot);
  }

  /** Nodes, and caches before them, may ignore `minContextSlot`: each answer is judged by the slot that it names. */
  function requireReached(slot: bigint, least: bigint | undefined, method: string): void {
    if (least !== undefined && slot < least)
      throw new ChainBehind(
        `the chain node at ${host} is behind: its answer to ${method} is of slot ${slot}, and slot ${least} was asked for`,
      );
  }

  /** What the node shows at a slot that is not before any it has shown. */
  async function valueNow(
    method: string,
    params: readonly unknown[],
    commitment: Commitment,
    config: { readonly [name: string]: unknown; readonly atLeastSlot?: bigint | undefined } = {},
  ) {
    const { atLeastSlot, ...rest } = config;
    const least = leastOf(commitment, atLeastSlot);
    const answer = atSlot(await rpc.call(method, [...params, { ...rest, commitment, ...noEarlier(least) }]));
    requireReached(answer.slot, least, method);
    seen.saw(commitment, answer.slot);
    return answer;
  }

  async function accountsNow(
    addresses: readonly string[],
    commitment: Commitment,
    atLeastSlot: bigint | undefined,
    mostData?: number,
  ): Promise<AccountsAtSlot> {
    const slice = mostData === undefined ? {} : { dataSlice: { offset: 0, length: mostData } };
    const config = { encoding: 'base64', ...slice, atLeastSlot };
    const { slot, value } = await valueNow('getMultipleAccounts', [addresses], commitment, config);
    const accounts = oneForEach(addresses, value).map(accountIn);
    if (mostData === undefined) return { slot, accounts };
    // Some nodes ignore the slice.
    const cut = (data: Uint8Array) => (data.length > mostData ? data.subarray(0, mostData) : data);
    return { slot, accounts: accounts.map((account) => account && { ...account, data: cut(account.data) }) };
  }

  async function epochNow(commitment: Commitment, atLeastSlot?: bigint) {
    const least = leastOf(commitment, atLeastSlot);
    const info = epochIn(await rpc.call('getEpochInfo', [{ commitment, ...noEarlier(least) }]));
    requireReached(info.slot, least, 'getEpochInfo');
    seen.saw(commitment, info.slot);
    return info;
  }

  async function statusesNow(signatures: readonly string[]) {
    const least = leastOf('confirmed');
    const { slot, value } = atSlot(
      await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]),
    );
    requireReached(slot, least, 'getSignatureStatuses');
    return oneForEach(signatures, value).map(statusIn);
  }

  const tokenAccounts = createTokenAccountReader({
    openAnswer: rpc.open,
    finalizedSlot: async (atLeastSlot) => (await epochNow('finalized', atLeastSlot)).slot,
    requireReached,
    ...scans,
  });

  const chain: Chain = {
    genesisHash: () => ask(async () => textIn(await rpc.call('getGenesisHash', []))),

    slotsBehind: () =>
      ask(async () => {
        try {
          await rpc.call('getHealth', []);
          return 0;
        } catch (error) {
          if (!(error instanceof NodeRefusal) || error.code !== UNHEALTHY) throw error;
          const { numSlotsBehind } = { ...(error.data as { numSlotsBehind?: unknown } | undefined) };
          return typeof numSlotsBehind === 'number' && numSlotsBehind > 0 ? numSlotsBehind : 1;
        }
      }),

    recentBlockhash: () =>
      ask(async () => blockhashIn((await valueNow('getLatestBlockhash', [], 'confirmed')).value)),

    tip: (commitment) =>
      ask(async () => {
        const { slot, blockHeight } = await epochNow(commitment);
        return { slot, blockHeight };
      }),

    slotMilliseconds: () => ask(() => slotMillisecondsOf(rpc.call)),

    slotLeader: () => ask(async () => textIn(await rpc.call('getSlotLeader', [{ commitment: 'confirmed' }]))),

    epoch: () => ask(async () => (await epochNow('confirmed')).epoch),

    accounts: (addresses, commitment, { atLeastSlot } = {}) =>
      ask(async () => {
        const found: (ChainAccount | undefined)[] = [];
        for (let from = 0; from < addresses.length; from += ACCOUNTS_PER_CALL) {
          const asked = addresses.slice(from, from + ACCOUNTS_PER_CALL);
          found.push(...(await accountsNow(asked, commitment, atLeastSlot)).accounts);
        }
        return found;
      }),

    accountsAt: (addresses, commitment, { atLeastSlot, mostData } = {}) =>
      ask(async () => {
        if (addresses.length > ACCOUNTS_PER_CALL) {
          throw new RangeError(`one slot shows at most ${ACCOUNTS_PER_CALL} accounts in one call`);
        }
        return accountsNow(addresses, commitment, atLeastSlot, mostData);
      }),

    tokenAccounts: (mint, asked = {}) =>
      ask(async () => {
        // The pages of a scan go back to its first one, and not to what other scans have shown meanwhile.
        const least = asked.after === undefined ? leastOf('finalized', asked.atLeastSlot) : asked.atLeastSlot;
        const page = await tokenAccounts(mint, {
          ...asked,
          ...(least === undefined ? {} : { atLeastSlot: least }),
        });
        seen.saw('finalized', page.slot);
        return page;
      }),

    balance: (address) =>
      ask(async () => lamportsIn((await valueNow('getBalance', [address], 'confirmed')).value)),

    rentExemption: (byteLength) =>
      ask(async () => lamportsIn(await rpc.call('getMinimumBalanceForRentExemption', [byteLength]))),

    recentPrices: (writable) =>
      ask(async () =>
        pricesIn(await rpc.call('getRecentPrioritizationFees', writable.length === 0 ? [] : [writable])),
      ),

    simulate: (wire, { anyBlockhash = false, atLeastSlot } = {}) =>
      ask(async () => {
        const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: anyBlockhash };
        return simulationIn(
          await valueNow('simulateTransaction', [base64(wire)], 'confirmed', { ...config, atLeastSlot }),
        );
      }),

    async send(wire) {
      try {
        const config = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
        await rpc.call('sendTransaction', [base64(wire), config]);
      } catch (error) {
        const known = asChainError(error, host);
        if (known instanceof ChainUnavailable) throw known;
      }
    },

    statuses: (signatures) =>
      ask(async () => {
        const found: (SignatureStatus | undefined)[] = [];
        for (let from = 0; from < signatures.length; from += STATUSES_PER_CALL)
          found.push(...(await statusesNow(signatures.slice(from, from + STATUSES_PER_CALL))));
        return found;
      }),

    signaturesOf: (address, { before, until, limit, commitment, atLeastSlot }) =>
      ask(async () => {
        // A list names no slot of its own.
        if (atLeastSlot !== undefined) await epochNow(commitment, atLeastSlot);
        return historyIn(
          await rpc.call('getSignaturesForAddress', [
            address,
            {
              limit,
              ...(before !== undefined && { before }),
              ...(until !== undefined && { until }),
              commitment,
              ...noEarlier(leastOf(commitment, atLeastSlot)),
            },
          ]),
        );
      }),

    transaction: (signature, commitment) =>
      ask(async () => {
        const config = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 1 };
        const answer = await rpc.call('getTransaction', [signature, config]).catch((error: unknown) => {
          // A transaction version that this program does not know: it cannot be ours.
          if (error instanceof NodeRefusal && error.code === UNSUPPORTED_VERSION) return null;
          throw error;
        });
        return answer === null ? undefined : transactionIn(answer);
      }),

    airdrop: (address, lamports) =>
      ask(async () => {
        const before = await chain.balance(address);
        await rpc.call('requestAirdrop', [address, Number(lamports)]);
        for (let tries = 0; tries < 100; tries++) {
          if ((await chain.balance(address)) >= before + lamports) return;
          await sleep(100);
        }
        throw new ChainUnavailable('the chain gave no lamports');
      }),
  };
  return chain;
}

/** As a part of a call's configuration. */
function noEarlier(least: bigint | undefined): { readonly minContextSlot?: number } {
  return least === undefined ? {} : { minContextSlot: Number(least) };
}

function base64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}
