/**
 * The service's durable-nonce accounts: each draft leases one, more are opened on demand, and dead drafts' leases are
 * taken back.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { compileLegacyMessage, signTransaction } from 'levy-solana-wire';
import {
  createNonceAccountInstructions,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
  nonceValueAfter,
  showsNonces,
} from '../chain/durable-nonce.ts';
import type { Keyring } from '../chain/keys.ts';
import type { Chain } from '../ports/chain.ts';
import type { ExpectedRevision } from '../ports/event-store.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type NonceAccountDocument, nonceAccounts } from '../projections/nonce-accounts.ts';
import { unlessUndecodable } from '../runtime/event-reader.ts';
import type { Cause, Executor } from '../runtime/execute.ts';
import {
  hadValue,
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
  nonceAccount,
} from '../streams/nonce-account.ts';
import { rejection } from '../streams/rejections.ts';

const OPENING_ROUNDS = 120;
const OPENING_PAUSE = 250;
/** As many pauses as finality takes, and some more. */
const FINALITY_ROUNDS = 80;
/** A blockhash is valid for about 60 to 90 seconds: sign anew well after that, so that two creations cannot cross. */
const ROUNDS_PER_BLOCKHASH = 100;
const FEE_OF_CREATION = 10_000n;
/** Free accounts that are looked at together. */
const FREE_PAGE = 16;
const KNOWN_PAGE = 1_000;

export interface NonceLease {
  readonly account: string;
  readonly value: string;
  /**
   * Gives the account back at once, if nobody else can know of this lease. Never rejects: what is not given back here
   * is taken back when the lease has lapsed.
   */
  readonly giveBack: () => Promise<void>;
}

interface LeaseOf {
  readonly account: string;
  readonly transactionId: string;
}

/** A lease as it was read; a lease renewed since then belongs to a new attempt at the draft. */
export interface HeldLease extends LeaseOf {
  /** ISO 8601. */
  readonly since: string;
}

export interface NoncePool {
  /**
   * Leases an account to the draft, the one that was used longest ago as far as this process knows; the same draft gets the same account again, under a new lease. Rejects with
   * `DRAFTS_EXHAUSTED` when all are leased and no more are allowed, with `SERVICE_UNFUNDED` when the fee payer cannot
   * open another.
   */
  lease(transactionId: string, cause: Cause): Promise<NonceLease>;
  /**
   * Rejects with `SERVICE_UNFUNDED` while the fee payer holds less than the floor: a draft issued then might not be
   * completed, because the advance of an overdue submission costs a fee.
   */
  requireFunded(): Promise<void>;
  /** Opens accounts until there are this many. */
  fill(count: number, cause: Cause): Promise<void>;
  /**
   * Gives the account back with its value unspent, if the draft still holds it: under this very lease, or under any if
   * `since` is left out, for a draft that was recorded.
   */
  giveBack(lease: LeaseOf & { readonly since?: string }, cause: Cause): Promise<void>;
  /**
   * Gives the account a new value, if the draft still holds it under this very lease. A value that the account had
   * before comes from a node that is behind: then nothing is recorded.
   */
  renew(lease: HeldLease, value: string, cause: Cause): Promise<void>;
}

export interface NoncePoolOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly maximum: number;
  /** Lamports that the fee payer keeps. */
  readonly floor: bigint;
}

function noNonces() {
  return rejection(
    'DRAFTS_EXHAUSTED',
    'This chain has no durable nonces; the service has to be started with DRAFT_LIFETIME_KIND=recent-blockhash.',
    { retryAfterSeconds: 60 },
  );
}

export function createNoncePool(options: NoncePoolOptions): NoncePool {
  const { executor, readModel, chain, keyring } = options;
  /** Accounts to which this process is appending: other calls skip them to avoid conflicts. */
  const busy = new Set<string>();
  /** Indexes whose accounts this process has opened, or is about to open. */
  const begun = new Set<number>();
  const opening = new Set<Promise<string>>();
  /** Indexes of the accounts that are recorded, as far as this process has read, and the account read last. */
  const known = new Set<number>();
  let lastKnown: string | undefined;
  /** The account that this process took last. */
  let lastTaken: string | undefined;

  async function take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    busy.add(account);
    try {
      const { state, recorded, revision } = await executor.execute(nonceAccount, account, cause, (current) =>
        current === undefined || current.lease !== undefined
          ? []
          : [NonceLeased({ account, transactionId, value: current.value })],
      );
      if (state?.lease !== transactionId) return undefined;
      const isNew = recorded.length > 0;
      return {
        account,
        value: state.value,
        // Another attempt at the draft that found the lease has leased the account anew.
        giveBack: () => (isNew ? giveBackAt({ account, transactionId, revision }, cause) : nothing()),
      };
    } finally {
      busy.delete(account);
    }
  }

  async function giveBackAt(
    { account, transactionId, revision }: LeaseOf & { readonly revision: ExpectedRevision },
    cause: Cause,
  ): Promise<void> {
    await executor
      .execute(nonceAccount, account, cause, (_state, loaded) =>
        loaded.revision === revision ? [NonceReturned({ account, transactionId })] : [],
      )
      .catch(nothing);
  }

  /** Goes on behind the account that was taken last, so that all are used in turn. */
  async function* freeAccounts(transactionId: string): AsyncGenerator<string, void> {
    lastTaken ??= await startingPlace(transactionId);
    for (const start of [lastTaken, undefined]) {
      let after = start;
      for (;;) {
        const page: readonly NonceAccountDocument[] = await readModel.find(nonceAccounts, 'state', 'free', {
          limit: FREE_PAGE,
          ...(after === undefined ? {} : { after }),
        });
        for (const { account } of page) yield account;
        if (page.length < FREE_PAGE) break;
        after = page.at(-1)?.account;
      }
    }
  }

  /** A process that starts does not begin with the accounts that it, or another one, has just used. */
  async function startingPlace(transactionId: string): Promise<string | undefined> {
    const accounts = await readModel.count(nonceAccounts, 'state', 'known');
    if (accounts === 0) return undefined;
    return keyring.nonceAccount(Number.parseInt(transactionId.slice(0, 8), 16) % accounts).address;
  }

  async function takeFree(transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    for await (const account of freeAccounts(transactionId)) {
      if (busy.has(account)) continue;
      lastTaken = account;
      const lease = await unlessUndecodable(take(account, transactionId, cause));
      if (lease !== undefined) return lease;
    }
    return undefined;
  }

  /** The log may be behind the chain: it was restored from an older copy, or a fork gave the account another value. */
  async function isCurrent({ account, value }: Omit<NonceLease, 'giveBack'>): Promise<boolean> {
    const [found] = await chain.accounts([account], 'confirmed');
    return found !== undefined && decodeNonceAccount(found.data)?.value === value;
  }

  /** Whether the leased value is the chain's. If it is not, the account is renewed, and another one is needed. */
  async function isUsable(lease: NonceLease, transactionId: string, cause: Cause): Promise<boolean> {
    try {
      if (await isCurrent(lease)) return true;
      await refresh([lease.account], transactionId, cause);
      return false;
    } catch (refusal) {
      await lease.giveBack();
      throw refusal;
    }
  }

  async function renewLease(
    { account, transactionId, since }: LeaseOf & { readonly since?: string },
    value: string,
    cause: Cause,
  ): Promise<void> {
    await executor.execute(nonceAccount, account, cause, (state, { events }) => {
      if (state?.lease !== transactionId || hadValue(state, value)) return [];
      // While an account is leased, its last event is the lease.
      return since === undefined || since === events.at(-1)?.metadata.occurredAt
        ? [NonceRenewed({ account, transactionId, value })]
        : [];
    });
  }

  /** Renews the accounts with the chain's values where those are final; the others stay leased until tidied. */
  async function refresh(accounts: readonly string[], transactionId: string, cause: Cause): Promise<void> {
    const found = await chain.accounts(accounts, 'finalized');
    for (const [index, account] of accounts.entries()) {
      const shown = found[index];
      const value = shown && decodeNonceAccount(shown.data)?.value;
      if (value !== undefined) await renewLease({ account, transactionId }, value, cause);
    }
  }

  async function requireFunds(needed: bigint): Promise<void> {
    const { address } = keyring.feePayer;
    if ((await chain.balance(address)) >= needed + options.floor) return;
    throw rejection('SERVICE_UNFUNDED', `The service's fee payer ${address} needs SOL.`, {
      retryAfterSeconds: 60,
    });
  }

  async function signedCreation(index: number): Promise<Uint8Array> {
    const account = keyring.nonceAccount(index);
    const [{ blockhash }, rent] = await Promise.all([
      chain.recentBlockhash(),
      chain.rentExemption(NONCE_ACCOUNT_SIZE),
    ]);
    const message = compileLegacyMessage({
      payer: keyring.feePayer.address,
      recentBlockhash: blockhash,
      instructions: createNonceAccountInstructions({
        feePayer: keyring.feePayer.address,
        nonceAccount: account.address,
        authority: keyring.nonceAuthority.address,
        lamports: rent,
      }),
    });
    return signTransaction(
      message.bytes,
      new Map([
        [keyring.feePayer.address, keyring.feePayer.sign(message.bytes)],
        [account.address, account.sign(message.bytes)],
      ]),
    );
  }

  /** A value cannot be consumed in the block that it comes from: a quick creator's submission would be refused. */
  async function canAdvance(value: string): Promise<boolean> {
    return value !== nonceValueAfter((await chain.recentBlockhash()).blockhash);
  }

  /** The account's value on the chain; creates the account first if it is absent. */
  async function makeOnChain(index: number): Promise<string> {
    const { address } = keyring.nonceAccount(index);
    let wire: Uint8Array | undefined;
    for (let round = 0; round < OPENING_ROUNDS; round++) {
      const [found] = await chain.accounts([address], 'confirmed');
      const nonce = found && decodeNonceAccount(found.data);
      if (nonce?.authority === keyring.nonceAuthority.address && (await canAdvance(nonce.value)))
        return nonce.value;
      if (nonce === undefined && round % ROUNDS_PER_BLOCKHASH === 0) {
        await requireFunds((await chain.rentExemption(NONCE_ACCOUNT_SIZE)) + FEE_OF_CREATION);
        wire = await signedCreation(index);
      }
      if (nonce === undefined && wire !== undefined && round % 8 === 0) {
        // It did not land at once: the chain may have no nonces any more.
        if (round > 0 && showsNonces((await chain.simulate(wire, { anyBlockhash: true })).error) === false)
          throw noNonces();
        await chain.send(wire);
      }
      if (round > 0) await sleep(OPENING_PAUSE);
    }
    throw rejection('DRAFTS_EXHAUSTED', 'A nonce account could not be opened in time; try again.', {
      retryAfterSeconds: 5,
    });
  }

  async function openAt(index: number, cause: Cause): Promise<string> {
    const account = keyring.nonceAccount(index).address;
    const value = await makeOnChain(index);
    await executor.execute(nonceAccount, account, cause, (state) =>
      state === undefined ? [NonceAccountOpened({ account, index, value })] : [],
    );
    return account;
  }

  /** Reads the accounts that were recorded since the last time. */
  async function learnKnown(): Promise<void> {
    for (;;) {
      const page: readonly NonceAccountDocument[] = await readModel.find(nonceAccounts, 'state', 'known', {
        limit: KNOWN_PAGE,
        ...(lastKnown === undefined ? {} : { after: lastKnown }),
      });
      for (const { index } of page) known.add(index);
      lastKnown = page.at(-1)?.account ?? lastKnown;
      if (page.length < KNOWN_PAGE) return;
    }
  }

  /** A new account, or one that is already being opened; undefined when no more are allowed. */
  async function open(cause: Cause): Promise<string | undefined> {
    await learnKnown();
    // The lowest missing index: an interrupted opening may have left its account on the chain.
    let index = 0;
    while (known.has(index) || begun.has(index)) index += 1;
    if (index >= options.maximum) return opening.size > 0 ? Promise.race(opening) : undefined;
    begun.add(index);
    const opened = openAt(index, cause);
    opening.add(opened);
    try {
      return await opened;
    } catch (error) {
      begun.delete(index);
      throw error;
    } finally {
      opening.delete(opened);
    }
  }

  return {
    async lease(transactionId, cause) {
      const [held] = await readModel.find(nonceAccounts, 'lease', transactionId);
      if (held !== undefined) {
        // Lease it anew: another process that found the old lease lapsed may be about to give the account back.
        const { state } = await executor.execute(nonceAccount, held.account, cause, (current) =>
          current?.lease === transactionId
            ? [NonceLeased({ account: held.account, transactionId, value: current.value })]
            : [],
        );
        if (state?.lease === transactionId && (await isCurrent(state))) {
          // Not given back at once: an earlier attempt at the draft may be about to record it on this account.
          return { account: state.account, value: state.value, giveBack: nothing };
        }
      }
      const outdated: string[] = [];
      for (let rounds = 0; ; ) {
        const lease = await takeFree(transactionId, cause);
        if (lease !== undefined) {
          if (await isUsable(lease, transactionId, cause)) return lease;
          outdated.push(lease.account);
          continue;
        }
        const opened = await open(cause);
        if (opened === undefined && outdated.length > 0 && rounds < FINALITY_ROUNDS) {
          // A fork a moment ago: their new values become final shortly.
          rounds += 1;
          await sleep(OPENING_PAUSE);
          await refresh(outdated, transactionId, cause);
          continue;
        }
        if (opened === undefined) {
          throw rejection(
            'DRAFTS_EXHAUSTED',
            'Every draft that the service can keep open is in use; try again soon.',
            {
              retryAfterSeconds: 10,
            },
          );
        }
        const fresh = await take(opened, transactionId, cause);
        if (fresh !== undefined) return fresh;
      }
    },

    requireFunded: () => requireFunds(0n),

    async fill(count, cause) {
      const wanted = Math.min(count, options.maximum);
      const recorded = await readModel.count(nonceAccounts, 'state', 'known');
      await Promise.all(Array.from({ length: Math.max(0, wanted - recorded) }, () => open(cause)));
    },

    async giveBack({ account, transactionId, since }, cause) {
      await executor.execute(nonceAccount, account, cause, (state, { events }) =>
        state?.lease === transactionId &&
        (since === undefined || events.at(-1)?.metadata.occurredAt === since)
          ? [NonceReturned({ account, transactionId })]
          : [],
      );
    },

    renew: renewLease,
  };
}

async function nothing(): Promise<void> {}
