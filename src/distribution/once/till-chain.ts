/**
 * The till chain: nothing that a distribution wallet signs can land twice. The token's SOL is in one account of wrapped SOL, the
 * till. Every transaction of the wallet is a link: it spends till k and creates till k+1, atomically.
 *
 * - The link closes till k. A second link from till k fails, because there is nothing left to close.
 * - The address of till k+1 is derived from k+1, till k and the content of the link. So of everything ever signed for till k one
 *   content lands, once, with any blockhash, from any sender and at any time; the address that exists identifies it; and a link
 *   that builds on till k+1 cannot land unless exactly that content did.
 * - The first link also creates a marker that is never closed. So it lands once, although till 0 no longer exists later.
 *
 * Amounts are never read beforehand: closing moves the whole balance of the till, including late donations. The payer lends
 * rents, which are returned when their account is closed; they may differ between two signatures of one content.
 */
import { createHash } from 'node:crypto';
import {
  ACCOUNT_SIZE,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import { type Instruction, NATIVE_MINT, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { unwrapLamports } from '../../chain/payment-instructions.ts';
import { allocateWithSeedInstruction, transferInstruction } from '../../chain/system-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';

export interface TillLink {
  readonly wallet: string;
  /** Number of the till that the link creates, from 0. */
  readonly number: number;
  /** The till that the link spends; undefined for the first link. */
  readonly previous: string | undefined;
  readonly actions: readonly TillAction[];
}

/** Effect of a link besides replacing the till. */
export interface TillAction {
  /** Complete description of the action in one line; the new till's address commits to it. */
  readonly content: string;
  /** Instructions after the old till is closed and before its lamports are counted: these may add lamports to the new till. */
  readonly collect?: (till: string) => readonly Instruction[];
  /** Instructions after all lamports in the new till are counted. */
  readonly spend?: (till: string) => readonly Instruction[];
  /** Lamports lent for accounts that the action closes; the new till returns them to the payer. */
  readonly rentReturned?: bigint;
}

/** Rents in lamports, read from the chain at each signature or from the accounts that are closed. */
interface LinkRents {
  /** Today's rent of a token account without extensions, in lamports. */
  readonly today: bigint;
  /** Lamports lent for the till that is spent; unused by the first link. */
  readonly ofPrevious: bigint;
}

const MARKER_SEED = 'levy:till-marker';
/** Characters of base64url; seeds have at most 32, which hold 192 bits of the hash. */
const SEED_LENGTH = 32;

/** Address and seed of the till that the link creates. */
export function tillOf(link: TillLink): { readonly address: string; readonly seed: string } {
  const { wallet, number, previous, actions } = link;
  const text = [number, previous ?? '', ...actions.map(({ content }) => requireLine(content))].join('\n');
  const seed = createHash('sha256').update(text).digest('base64url').slice(0, SEED_LENGTH);
  return { address: seededAddress(wallet, seed, TOKEN_PROGRAM), seed };
}

/** Address of the marker, which exists permanently from the first link on. */
export function markerOf(wallet: string): string {
  return seededAddress(wallet, MARKER_SEED, TOKEN_PROGRAM);
}

/** Signers: wallet, payer, and the actions' own signers. */
export function linkInstructions(link: TillLink, payer: string, rents: LinkRents): readonly Instruction[] {
  const { wallet, previous, actions } = link;
  const till = tillOf(link);
  const ofPrevious = previous === undefined ? 0n : rents.ofPrevious;
  const returned = actions.reduce((sum, { rentReturned = 0n }) => sum + rentReturned, ofPrevious);
  return [
    ...(previous === undefined
      ? solAccountOf({ address: markerOf(wallet), seed: MARKER_SEED, wallet, payer, rent: rents.today })
      : []),
    ...solAccountOf({ ...till, wallet, payer, rent: rents.today }),
    ...(previous === undefined
      ? []
      : [tokenInstruction(createCloseAccountInstruction, previous, till.address, wallet)]),
    ...actions.flatMap(({ collect }) => collect?.(till.address) ?? []),
    tokenInstruction(createSyncNativeInstruction, till.address),
    ...(returned === 0n
      ? []
      : [unwrapLamports({ from: till.address, to: payer, authority: wallet, lamports: returned })]),
    ...actions.flatMap(({ spend }) => spend?.(till.address) ?? []),
  ];
}

/**
 * Creates an account of wrapped SOL at a seeded address of the wallet. `CreateAccountWithSeed` would fail if a stranger had sent
 * a lamport to the address.
 */
export function solAccountOf(account: {
  readonly address: string;
  readonly seed: string;
  readonly wallet: string;
  readonly payer: string;
  readonly rent: bigint;
}): readonly Instruction[] {
  const { address, seed, wallet, payer, rent } = account;
  return [
    transferInstruction({ from: payer, to: address, lamports: rent }),
    allocateWithSeedInstruction({
      address,
      base: wallet,
      seed,
      space: ACCOUNT_SIZE,
      owner: TOKEN_PROGRAM,
    }),
    tokenInstruction(createInitializeAccount3Instruction, address, NATIVE_MINT, wallet),
  ];
}

function requireLine(content: string): string {
  // A line break would make two actions read as three.
  if (content.includes('\n')) throw new TypeError('the content of an action must not contain a line break');
  return content;
}
