/** The Chain port over one Solana node, by JSON-RPC. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RENT_SYSVAR, rentOf, rentPerByte } from 'levy-solana-wire';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { asChainError, createJsonRpc, NodeRefusal } from './json-rpc.ts';
import {
  blockhashIn,
  historyIn,
  lamportsIn,
  pricesIn,
  simulationIn,
  textIn,
  transactionIn,
} from './node-answers.ts';
import { ACCOUNTS_PER_CALL, createNodeReads, inCalls, noEarlier, STATUSES_PER_CALL } from './node-reads.ts';
import { type SeenSlots, unseenSlots } from './seen-slots.ts';
import { slotMillisecondsOf } from './slot-milliseconds.ts';
import { createTokenAccountReader, type TokenAccountReaderOptions } from './token-accounts.ts';

export interface NodeChainOptions {
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

export function createNodeChain(options: NodeChainOptions): Chain {
  const { url, timeout = 10_000, scans = {}, seen = unseenSlots } = options;
  const rpc = createJsonRpc({ url, timeout });
  const { ask, leastOf, requireReached, valueNow, accountsNow, epochNow, statusesNow } = createNodeReads(
    rpc,
    seen,
  );
  const readTokenAccounts = createTokenAccountReader({
    openAnswer: rpc.open,
    finalizedSlot: async (atLeastSlot) => (await epochNow('finalized', atLeastSlot)).slot,
    requireReached,
    ...scans,
  });

  const balance: Chain['balance'] = (address) =>
    ask(async () => lamportsIn((await valueNow('getBalance', [address], 'confirmed')).value));

  return {
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

    rentExemption: (byteLength) =>
      ask(async () => {
        const { slot, accounts } = await accountsNow([RENT_SYSVAR], 'finalized', undefined);
        const perByte = rentPerByte(accounts[0]);
        if (perByte === undefined)
          throw new ChainAnswerInvalid(`the chain node shows no possible rent at slot ${slot}`);
        return rentOf(byteLength, perByte);
      }),

    recentPrices: (writable) =>
      ask(async () =>
        pricesIn(await rpc.call('getRecentPrioritizationFees', writable.length === 0 ? [] : [writable])),
      ),

    accounts: (addresses, commitment, { atLeastSlot } = {}) =>
      ask(() =>
        inCalls(
          addresses,
          ACCOUNTS_PER_CALL,
          async (some) => (await accountsNow(some, commitment, atLeastSlot)).accounts,
        ),
      ),

    accountsAt: (addresses, commitment, { atLeastSlot, mostData } = {}) =>
      ask(async () => {
        if (addresses.length > ACCOUNTS_PER_CALL) {
          throw new RangeError(`one slot shows at most ${ACCOUNTS_PER_CALL} accounts in one call`);
        }
        return accountsNow(addresses, commitment, atLeastSlot, mostData);
      }),

    balance,

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
        const known = asChainError(error, rpc.host);
        if (known instanceof ChainUnavailable) throw known;
      }
    },

    statuses: (signatures) => ask(() => inCalls(signatures, STATUSES_PER_CALL, statusesNow)),

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

    tokenAccounts: (mint, asked = {}) =>
      ask(async () => {
        // The pages of a scan go back to its first one, and not to what other scans have shown meanwhile.
        const least = asked.after === undefined ? leastOf('finalized', asked.atLeastSlot) : asked.atLeastSlot;
        const page = await readTokenAccounts(mint, {
          ...asked,
          ...(least === undefined ? {} : { atLeastSlot: least }),
        });
        seen.saw('finalized', page.slot);
        return page;
      }),

    airdrop: (address, lamports) =>
      ask(async () => {
        const before = await balance(address);
        await rpc.call('requestAirdrop', [address, Number(lamports)]);
        for (let tries = 0; tries < 100; tries++) {
          if ((await balance(address)) >= before + lamports) return;
          await sleep(100);
        }
        throw new ChainUnavailable('the chain gave no lamports');
      }),
  };
}

function base64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}
