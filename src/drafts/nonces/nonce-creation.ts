/** Makes a nonce account on the chain, and waits until its value can be spent. Records nothing; may be broken off and repeated. */
import { compileLegacyMessage, signTransaction } from 'levy-solana-wire';
import {
  createNonceAccountInstructions,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
  nonceValueAfter,
  showsNonces,
} from '../../chain/durable-nonce.ts';
import type { Keyring } from '../../chain/keys.ts';
import { rejection } from '../../streams/rejections.ts';
import { nextOpeningAction, OPENING_PAUSE, type OpeningSeen } from './next-opening.ts';
import type { NoncePoolOptions } from './nonce-lease.ts';

const FEE_OF_CREATION = 10_000n;

type Parts = Pick<NoncePoolOptions, 'chain' | 'keyring' | 'floor' | 'pause'>;

/** Rejects with `SERVICE_UNFUNDED` unless the fee payer has these lamports and the floor. */
export async function requireFunds(
  { chain, keyring, floor }: Omit<Parts, 'pause'>,
  needed: bigint,
): Promise<void> {
  const { address } = keyring.feePayer;
  if ((await chain.balance(address)) >= needed + floor) return;
  throw rejection('SERVICE_UNFUNDED', `The service's fee payer ${address} needs SOL.`, {
    retryAfterSeconds: 60,
  });
}

/** The account's value on the chain; creates the account first if it is absent. */
export async function makeOnChain(parts: Parts, index: number): Promise<string> {
  const { chain, pause } = parts;
  let wire = new Uint8Array();
  for (let round = 0; ; round += 1) {
    const action = nextOpeningAction(round, await look(parts, index));
    switch (action.kind) {
      case 'opened':
        return action.value;
      case 'give-up':
        throw rejection('DRAFTS_EXHAUSTED', 'A nonce account could not be opened in time; try again.', {
          retryAfterSeconds: 5,
        });
      case 'sign':
        wire = Uint8Array.from(await signedCreation(parts, index));
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
    if (round > 0) await pause(OPENING_PAUSE);
  }
}

async function look({ chain, keyring }: Parts, index: number): Promise<OpeningSeen> {
  const [found] = await chain.accounts([keyring.nonceAccount(index).address], 'confirmed');
  const nonce = found && decodeNonceAccount(found.data);
  if (nonce === undefined) return { kind: 'nothing' };
  const { authority, value } = nonce;
  if (authority !== keyring.nonceAuthority.address) return { kind: 'unusable' };
  // A value cannot be consumed in the block that it comes from: a quick creator's submission would be refused.
  const { blockhash } = await chain.recentBlockhash();
  return value === nonceValueAfter(blockhash) ? { kind: 'unusable' } : { kind: 'usable', value };
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

function noNonces() {
  return rejection(
    'DRAFTS_EXHAUSTED',
    'This chain has no durable nonces; the service has to be started with DRAFT_LIFETIME_KIND=recent-blockhash.',
    { retryAfterSeconds: 60 },
  );
}
