/**
 * Creates and records nonce accounts up to the configured maximum, each once. An interrupted creation on the chain can be
 * repeated.
 */

import { compileLegacyMessage, signTransaction } from 'levy-solana-wire';
import {
  createNonceAccountInstructions,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
  nonceValueAfter,
  showsNonces,
} from '../../chain/durable-nonce.ts';
import type { Keyring } from '../../chain/keys.ts';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import { rejection } from '../../streams/rejections.ts';
import { decideOpening } from './decide-nonce.ts';
import { accountPages, type NoncePoolOptions } from './nonce-lease.ts';

const KNOWN_PAGE = 1_000;
const NONE: ReadonlySet<string> = new Set();

export function createNonceOpening(options: NoncePoolOptions) {
  const { executor, readModel, keyring } = options;
  /** Indexes of the accounts that this process has opened or is opening. */
  const begun = new Set<number>();
  const opening = new Set<Promise<string>>();
  /** Indexes of the recorded accounts that this process has read, and the last account read. */
  const known = new Set<number>();
  let lastKnown: string | undefined;

  async function openAt(index: number, cause: Cause): Promise<string> {
    const account = keyring.nonceAccount(index).address;
    const value = await makeOnChain(options, index);
    await executor.execute(nonceAccount, account, cause, (state) =>
      decideOpening(state, { account, index, value }),
    );
    return account;
  }

  /** Reads accounts recorded since the last call. */
  async function loadKnown(): Promise<void> {
    for await (const page of accountPages(readModel, 'known', KNOWN_PAGE, lastKnown)) {
      for (const { index } of page) known.add(index);
      lastKnown = page.at(-1)?.account;
    }
  }

  return {
    /**
     * Opens a new account, or waits for one that is being opened. At the maximum, returns an account that this process has
     * opened and that neither the read model nor `tried` includes yet; else undefined.
     */
    async open(cause: Cause, tried: ReadonlySet<string> = NONE) {
      await loadKnown();
      const index = lowestMissing((each) => known.has(each) || begun.has(each));
      if (index >= options.maximum) {
        if (opening.size > 0) return Promise.race(opening);
        const unshown = [...begun].filter((each) => !known.has(each));
        return unshown.map((each) => keyring.nonceAccount(each).address).find((each) => !tried.has(each));
      }
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

const FEE_OF_CREATION = 10_000n;

type Parts = Pick<NoncePoolOptions, 'chain' | 'keyring' | 'floor' | 'pause'>;

/** Rejects with `SERVICE_UNFUNDED` unless the fee payer has `needed` lamports in addition to the floor. */
export async function requireFunds(
  { chain, keyring, floor }: Omit<Parts, 'pause'>,
  needed: bigint,
): Promise<void> {
  const { address } = keyring.feePayer;
  if ((await chain.balance(address)) >= needed + floor) return;
  throw rejection(
    'SERVICE_UNFUNDED',
    `The service's fee payer ${address} needs SOL; its operator must fund it.`,
    {
      retryAfterSeconds: 60,
    },
  );
}

/** Milliseconds between two polls. */
export const OPENING_PAUSE = 250;
const OPENING_ROUNDS = 120;
/**
 * Rounds per blockhash. A blockhash is valid for about 60 to 90 seconds; waiting longer than that before signing again prevents
 * two competing creations.
 */
const ROUNDS_PER_BLOCKHASH = 100;
const ROUNDS_PER_SEND = 8;

/** Value of the account on the chain; creates the account first if it does not exist. */
export async function makeOnChain(parts: Parts, index: number): Promise<string> {
  const { chain, pause } = parts;
  let wire = new Uint8Array();
  for (let round = 0; round < OPENING_ROUNDS; round += 1) {
    const [found] = await chain.accounts([parts.keyring.nonceAccount(index).address], 'confirmed');
    const nonce = found && decodeNonceAccount(found.data);
    if (nonce !== undefined && (await isUsable(parts, nonce))) return nonce.value;
    if (nonce === undefined && round % ROUNDS_PER_BLOCKHASH === 0) {
      wire = Uint8Array.from(await signedCreation(parts, index));
      await chain.send(wire);
    } else if (nonce === undefined && round % ROUNDS_PER_SEND === 0) {
      // The transaction has not landed promptly; check whether the chain still supports nonces.
      if (showsNonces((await chain.simulate(wire, { anyBlockhash: true })).error) === false)
        throw noNoncesRejection();
      await chain.send(wire);
    }
    if (round > 0) await pause(OPENING_PAUSE);
  }
  throw rejection('DRAFTS_EXHAUSTED', 'No nonce account could be created in time; try again.', {
    retryAfterSeconds: 5,
  });
}

/**
 * False if the account belongs to someone else, or if its value is of the current block: a submission in the same block would
 * be rejected.
 */
async function isUsable(
  { chain, keyring }: Parts,
  { authority, value }: NonNullable<ReturnType<typeof decodeNonceAccount>>,
): Promise<boolean> {
  if (authority !== keyring.nonceAuthority.address) return false;
  return value !== nonceValueAfter((await chain.recentBlockhash()).blockhash);
}

async function signedCreation(parts: Parts, index: number): Promise<Uint8Array> {
  const { chain, keyring } = parts;
  const rent = await chain.rentExemption(NONCE_ACCOUNT_SIZE);
  await requireFunds(parts, rent + FEE_OF_CREATION);
  const { blockhash } = await chain.recentBlockhash();
  return creationOf(keyring, index, { rent, blockhash });
}

function creationOf(
  { feePayer, nonceAuthority, nonceAccount }: Keyring,
  index: number,
  { rent, blockhash }: { readonly rent: bigint; readonly blockhash: string },
): Uint8Array {
  const account = nonceAccount(index);
  const { bytes } = compileLegacyMessage({
    payer: feePayer.address,
    recentBlockhash: blockhash,
    instructions: createNonceAccountInstructions({
      feePayer: feePayer.address,
      nonceAccount: account.address,
      authority: nonceAuthority.address,
      lamports: rent,
    }),
  });
  const signers = [feePayer, account];
  return signTransaction(bytes, new Map(signers.map((key) => [key.address, key.sign(bytes)])));
}

function noNoncesRejection() {
  return rejection(
    'DRAFTS_EXHAUSTED',
    'This chain has no durable nonces; start the service with DRAFT_LIFETIME_KIND=recent-blockhash.',
    { retryAfterSeconds: 60 },
  );
}

/** Lowest unused index, so that the account of an interrupted opening is reused. */
function lowestMissing(isTaken: (index: number) => boolean): number {
  let index = 0;
  while (isTaken(index)) index += 1;
  return index;
}
