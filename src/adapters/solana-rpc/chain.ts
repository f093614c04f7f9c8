/** Chain port on one Solana node, by JSON-RPC. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RENT_SYSVAR, rentOf, rentPerByte } from 'levy-solana-wire';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { wrapCalls } from '../../kernel/runtime/wrap-calls.ts';
import { asChainError, createJsonRpc, NodeRefusal } from './json-rpc.ts';
import {
  blockhashIn,
  historyIn,
  lamportsIn,
  pricesIn,
  simulationIn,
  slotIn,
  textIn,
  transactionIn,
} from './node-answers.ts';
import {
  ACCOUNTS_PER_CALL,
  createNodeReads,
  inCalls,
  noEarlier,
  type SlotsByCommitment,
  STATUSES_PER_CALL,
  slotMillisecondsOf,
} from './node-reads.ts';
import { createTokenAccountReader, type TokenAccountReaderOptions } from './token-accounts.ts';

interface NodeChainOptions {
  readonly url: string;
  /** Milliseconds until the end of a call's response; default 10,000. */
  readonly timeout?: number;
  /** Limits of token account scans. */
  readonly scans?: Pick<TokenAccountReaderOptions, 'timeout' | 'accountsPerPage'>;
  /** Shared by the nodes of a cluster; responses from earlier slots are rejected with `ChainUnavailable`. */
  readonly seen?: SlotsByCommitment;
}

const UNSUPPORTED_VERSION = -32015;

export function createNodeChain(options: NodeChainOptions): Chain {
  const { url, timeout = 10_000, scans = {}, seen } = options;
  const rpc = createJsonRpc({ url, timeout });
  const { leastOf, saw, requireReached, valueNow, accountsNow, epochNow, statusesNow } = createNodeReads(
    rpc,
    seen,
  );
  const readTokenAccounts = createTokenAccountReader({
    openAnswer: rpc.open,
    finalizedSlot: async (atLeastSlot) => (await epochNow('finalized', atLeastSlot)).slot,
    requireReached,
    ...scans,
  });

  const balance: Chain['balance'] = async (address) =>
    lamportsIn((await valueNow('getBalance', [address], 'confirmed')).value);

  const node: Chain = {
    genesisHash: async () => textIn(await rpc.call('getGenesisHash', [])),

    recentBlockhash: async () => blockhashIn((await valueNow('getLatestBlockhash', [], 'confirmed')).value),

    async tip(commitment) {
      const { slot, blockHeight } = await epochNow(commitment);
      return { slot, blockHeight };
    },

    slotMilliseconds: () => slotMillisecondsOf(rpc.call),

    slotLeader: async () => textIn(await rpc.call('getSlotLeader', [{ commitment: 'confirmed' }])),

    epoch: async () => (await epochNow('confirmed')).epoch,

    firstSlot: async () => slotIn(await rpc.call('getFirstAvailableBlock', [])),

    async rentExemption(byteLength) {
      const { slot, accounts } = await accountsNow([RENT_SYSVAR], 'finalized', undefined);
      const perByte = rentPerByte(accounts[0]);
      if (perByte === undefined)
        throw new ChainAnswerInvalid(`the chain node returned an invalid rent at slot ${slot}`);
      return rentOf(byteLength, perByte);
    },

    recentPrices: async (writable) =>
      pricesIn(await rpc.call('getRecentPrioritizationFees', writable.length === 0 ? [] : [writable])),

    accounts: (addresses, commitment, { atLeastSlot } = {}) =>
      inCalls(
        addresses,
        ACCOUNTS_PER_CALL,
        async (some) => (await accountsNow(some, commitment, atLeastSlot)).accounts,
      ),

    async accountsAt(addresses, commitment, { atLeastSlot, maxData } = {}) {
      if (addresses.length > ACCOUNTS_PER_CALL) {
        throw new RangeError(`at most ${ACCOUNTS_PER_CALL} accounts can be read at one slot`);
      }
      return accountsNow(addresses, commitment, atLeastSlot, maxData);
    },

    balance,

    async simulate(wire, { anyBlockhash = false, atLeastSlot } = {}) {
      const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: anyBlockhash };
      return simulationIn(
        await valueNow('simulateTransaction', [base64(wire)], 'confirmed', { ...config, atLeastSlot }),
      );
    },

    async send(wire) {
      try {
        const config = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
        await rpc.call('sendTransaction', [base64(wire), config]);
      } catch (error) {
        const known = asChainError(error, rpc.host);
        if (known instanceof ChainUnavailable) throw known;
      }
    },

    statuses: (signatures) => inCalls(signatures, STATUSES_PER_CALL, statusesNow),

    async signaturesOf(address, { before, until, limit, commitment, atLeastSlot }) {
      // The response contains no slot, so check the node's slot first.
      if (atLeastSlot !== undefined) await epochNow(commitment, atLeastSlot);
      // Undefined members are not sent.
      const config = { limit, before, until, commitment, ...noEarlier(leastOf(commitment, atLeastSlot)) };
      return historyIn(await rpc.call('getSignaturesForAddress', [address, config]));
    },

    async transaction(signature, commitment) {
      const config = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 1 };
      const answer = await rpc.call('getTransaction', [signature, config]).catch((error: unknown) => {
        // The service never sends transactions of unsupported versions.
        if (error instanceof NodeRefusal && error.code === UNSUPPORTED_VERSION) return null;
        throw error;
      });
      return answer === null ? undefined : transactionIn(answer);
    },

    async tokenAccounts(mint, asked = {}) {
      // Pages of a scan must reach the slot of its first page, not slots that other scans have seen since.
      const least = asked.after === undefined ? leastOf('finalized', asked.atLeastSlot) : asked.atLeastSlot;
      const page = await readTokenAccounts(mint, {
        ...asked,
        ...(least === undefined ? {} : { atLeastSlot: least }),
      });
      saw('finalized', page.slot);
      return page;
    },

    async airdrop(address, lamports) {
      const before = await balance(address);
      await rpc.call('requestAirdrop', [address, Number(lamports)]);
      for (let tries = 0; tries < 100; tries++) {
        if ((await balance(address)) >= before + lamports) return;
        await sleep(100);
      }
      throw new ChainUnavailable('the airdrop did not arrive');
    },
  };

  return wrapCalls(node, async (_method, call) => {
    try {
      return await call();
    } catch (error) {
      throw asChainError(error, rpc.host);
    }
  });
}

function base64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}
