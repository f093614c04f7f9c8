/**
 * The till chain: why nothing that a distribution wallet signs can happen twice. The token's SOL is in one account of wrapped
 * SOL, the till. Every transaction of the wallet is a link: it spends till k and creates till k+1, atomically.
 *
 * - Till k is closed by the link. A second link from till k fails, because there is nothing left to close.
 * - The address of till k+1 is derived from k+1, till k and the content of the link. So of everything ever signed for till k
 *   one content lands, once, with any blockhash, from any sender and at any time; the address that exists identifies it; and
 *   a link that builds on till k+1 cannot land unless exactly that content did.
 * - The first link also creates a marker that is never closed. So it lands once, although till 0 no longer exists by then.
 *
 * Amounts are never read beforehand: closing moves the whole balance of the till, including late donations. Rents are lent by
 * the payer and returned when their account is closed; they may differ between two signatures of one content.
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
  /** The number of the till that it makes, counted from 0. */
  readonly number: number;
  /** The till that it spends; undefined for the first link. */
  readonly previous: string | undefined;
  readonly actions: readonly TillAction[];
}

/** One thing that a link does beside moving the till on. */
export interface TillAction {
  /** Everything that matters of it, in one line: the new till's address commits to it. */
  readonly content: string;
  /** Run after the old till was closed and before its lamports are counted: they may put more into the new till. */
  readonly collect?: (till: string) => readonly Instruction[];
  /** Run when everything in the new till is counted. */
  readonly spend?: (till: string) => readonly Instruction[];
  /** Lamports that were lent for accounts that it closes: they go from the new till to the payer. */
  readonly rentReturned?: bigint;
}

/** Read from the chain at each signature, or known from the accounts that are closed. Lamports. */
interface LinkRents {
  /** Today's rent of a token account without extensions, in lamports. */
  readonly today: bigint;
  /** Lamports lent for the till that is spent; unused by the first link. */
  readonly ofPrevious: bigint;
}

const MARKER_SEED = 'levy:till-marker';
/** base64url characters: seeds have at most 32. 192 bits of the hash. */
const SEED_LENGTH = 32;

/** The till that the link makes. */
export function tillOf(link: TillLink): { readonly address: string; readonly seed: string } {
  const { wallet, number, previous, actions } = link;
  const text = [number, previous ?? '', ...actions.map(({ content }) => requireLine(content))].join('\n');
  const seed = createHash('sha256').update(text).digest('base64url').slice(0, SEED_LENGTH);
  return { address: seededAddress(wallet, seed, TOKEN_PROGRAM), seed };
}

/** Exists permanently from the first link on. */
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
 * Makes an account of wrapped SOL at an address that the wallet derives. `CreateAccountWithSeed` would fail where a
 * stranger has put a lamport first.
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
  // Two actions must not read as three.
  if (content.includes('\n')) throw new TypeError('the content of an action is one line');
  return content;
}
