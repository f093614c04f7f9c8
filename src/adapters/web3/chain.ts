/** The Chain port over one Solana node, by JSON-RPC. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountsAtSlot,
  type Chain,
  type ChainAccount,
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
import { type SeenSlots, unseenSlots } from './seen-slots.ts';
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

  /** As a part of a call's configuration. */
  function noEarlier(commitment: Commitment, atLeastSlot?: bigint): { readonly minContextSlot?: number } {
    const least = seen.least(commitment);
    const slot =
      atLeastSlot === undefined || (least !== undefined && least > atLeastSlot) ? least : atLeastSlot;
    return slot === undefined ? {} : { minContextSlot: Number(slot) };
  }

  /** For calls that take no such configuration. */
  function requireReached(slot: bigint): void {
    const least = seen.least('confirmed');
    if (least !== undefined && slot < least)
      throw new ChainUnavailable(`the chain node at ${host} is behind: it is at slot ${slot} of ${least}`);
  }

  /** What the node shows at a slot that is not before any it has shown. */
  async function valueNow(
    method: string,
    params: readonly unknown[],
    commitment: Commitment,
    config: { readonly encoding?: string; readonly atLeastSlot?: bigint | undefined } = {},
  ) {
    const { atLeastSlot, ...rest } = config;
    const answer = atSlot(
      await rpc.call(method, [...params, { ...rest, commitment, ...noEarlier(commitment, atLeastSlot) }]),
    );
    seen.saw(commitment, answer.slot);
    return answer;
  }

  async function accountsNow(
    addresses: readonly string[],
    commitment: Commitment,
    atLeastSlot: bigint | undefined,
  ): Promise<AccountsAtSlot> {
    const config = { encoding: 'base64', atLeastSlot };
    const { slot, value } = await valueNow('getMultipleAccounts', [addresses], commitment, config);
    return { slot, accounts: oneForEach(addresses, value).map(accountIn) };
  }

  async function epochNow(commitment: Commitment) {
    const info = epochIn(await rpc.call('getEpochInfo', [{ commitment, ...noEarlier(commitment) }]));
    seen.saw(commitment, info.slot);
    return info;
  }

  async function statusesNow(signatures: readonly string[]) {
    const { slot, value } = atSlot(
      await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }]),
    );
    requireReached(slot);
    return oneForEach(signatures, value).map(statusIn);
  }

  const tokenAccounts = createTokenAccountReader({
    openAnswer: rpc.open,
    finalizedSlot: async () => (await chain.tip('finalized')).slot,
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

    accountsAt: (addresses, commitment, { atLeastSlot } = {}) =>
      ask(async () => {
        if (addresses.length > ACCOUNTS_PER_CALL) {
          throw new RangeError(`one slot shows at most ${ACCOUNTS_PER_CALL} accounts in one call`);
        }
        return accountsNow(addresses, commitment, atLeastSlot);
      }),

    tokenAccounts: (mint, asked) =>
      ask(async () => {
        const page = await tokenAccounts(mint, asked);
        const least = seen.least('finalized');
        if (least !== undefined && page.slot < least && asked?.after === undefined)
          throw new ChainUnavailable(
            `the chain node at ${host} is behind: its accounts are of slot ${page.slot}`,
          );
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

    simulate: (wire, options) =>
      ask(async () =>
        simulationIn(
          await rpc.call('simulateTransaction', [
            base64(wire),
            {
              encoding: 'base64',
              sigVerify: false,
              replaceRecentBlockhash: options?.anyBlockhash ?? false,
              commitment: 'confirmed',
              ...noEarlier('confirmed'),
            },
          ]),
        ),
      ),

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
      ask(async () =>
        historyIn(
          await rpc.call('getSignaturesForAddress', [
            address,
            {
              limit,
              ...(before !== undefined && { before }),
              ...(until !== undefined && { until }),
              commitment,
              ...noEarlier(commitment, atLeastSlot),
            },
          ]),
        ),
      ),

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

function base64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}
