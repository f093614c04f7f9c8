/** Opens nonce accounts on the chain, as many as are allowed, each once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compileLegacyMessage, signTransaction } from 'levy-solana-wire';
import {
  createNonceAccountInstructions,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
  nonceValueAfter,
  showsNonces,
} from '../../chain/durable-nonce.ts';
import { type NonceAccountDocument, nonceAccounts } from '../../projections/nonce-accounts.ts';
import type { Cause } from '../../runtime/execute.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import { rejection } from '../../streams/rejections.ts';
import { decideOpening } from './decide-nonce.ts';
import { lowestMissing, nextOpeningAction, OPENING_PAUSE, type OpeningSeen } from './next-opening.ts';
import type { NoncePoolOptions } from './nonce-lease.ts';

const FEE_OF_CREATION = 10_000n;
const KNOWN_PAGE = 1_000;

export interface NonceOpening {
  /** A new account, or one that is already being opened; undefined when no more are allowed. */
  open(cause: Cause): Promise<string | undefined>;
  /** Rejects with `SERVICE_UNFUNDED` unless the fee payer has these lamports and the floor. */
  requireFunds(needed: bigint): Promise<void>;
}

export function createNonceOpening(options: NoncePoolOptions): NonceOpening {
  const { executor, readModel, chain, keyring } = options;
  /** Indexes whose accounts this process has opened, or is about to open. */
  const begun = new Set<number>();
  const opening = new Set<Promise<string>>();
  /** Indexes of the accounts that are recorded, as far as this process has read, and the account read last. */
  const known = new Set<number>();
  let lastKnown: string | undefined;

  async function requireFunds(needed: bigint): Promise<void> {
    const { address } = keyring.feePayer;
    if ((await chain.balance(address)) >= needed + options.floor) return;
    throw rejection('SERVICE_UNFUNDED', `The service's fee payer ${address} needs SOL.`, {
      retryAfterSeconds: 60,
    });
  }

  async function signedCreation(index: number): Promise<Uint8Array> {
    const rent = await chain.rentExemption(NONCE_ACCOUNT_SIZE);
    await requireFunds(rent + FEE_OF_CREATION);
    const account = keyring.nonceAccount(index);
    const { blockhash } = await chain.recentBlockhash();
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

  async function look(index: number): Promise<OpeningSeen> {
    const [found] = await chain.accounts([keyring.nonceAccount(index).address], 'confirmed');
    const nonce = found && decodeNonceAccount(found.data);
    if (nonce === undefined) return { kind: 'nothing' };
    const { authority, value } = nonce;
    const isOurs = authority === keyring.nonceAuthority.address;
    return isOurs && (await canAdvance(value)) ? { kind: 'usable', value } : { kind: 'unusable' };
  }

  /** A value cannot be consumed in the block that it comes from: a quick creator's submission would be refused. */
  async function canAdvance(value: string): Promise<boolean> {
    return value !== nonceValueAfter((await chain.recentBlockhash()).blockhash);
  }

  /** The account's value on the chain; creates the account first if it is absent. */
  async function makeOnChain(index: number): Promise<string> {
    let wire = new Uint8Array();
    for (let round = 0; ; round += 1) {
      const action = nextOpeningAction(round, await look(index));
      switch (action.kind) {
        case 'opened':
          return action.value;
        case 'give-up':
          throw rejection('DRAFTS_EXHAUSTED', 'A nonce account could not be opened in time; try again.', {
            retryAfterSeconds: 5,
          });
        case 'sign':
          wire = Uint8Array.from(await signedCreation(index));
          await chain.send(wire);
          break;
        case 'send-again':
          if (showsNonces((await chain.simulate(wire, { anyBlockhash: true })).error) === false)
            throw noNonces();
          await chain.send(wire);
          break;
        case 'wait':
          break;
      }
      if (round > 0) await sleep(OPENING_PAUSE);
    }
  }

  async function openAt(index: number, cause: Cause): Promise<string> {
    const account = keyring.nonceAccount(index).address;
    const value = await makeOnChain(index);
    await executor.execute(nonceAccount, account, cause, (state) =>
      decideOpening(state, { account, index, value }),
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

  return {
    requireFunds,

    async open(cause) {
      await learnKnown();
      const index = lowestMissing((each) => known.has(each) || begun.has(each));
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
    },
  };
}

function noNonces() {
  return rejection(
    'DRAFTS_EXHAUSTED',
    'This chain has no durable nonces; the service has to be started with DRAFT_LIFETIME_KIND=recent-blockhash.',
    { retryAfterSeconds: 60 },
  );
}
