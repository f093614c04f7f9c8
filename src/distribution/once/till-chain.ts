/**
 * The till chain: why nothing that a distribution wallet signs can happen twice. The token's SOL lies in one account of
 * wrapped SOL, the till. Every transaction of the wallet is a link: it spends till k and makes till k+1, in one piece.
 *
 * - Till k is closed by the link. A second link from till k fails, because there is nothing left to close.
 * - The address of till k+1 is derived from k+1, till k and what the link does. So of everything ever signed for till k one
 *   content lands, once, whatever blockhash it carries, from whatever sender and however late; which one is read off the
 *   address that exists; and a link that builds on till k+1 cannot land unless exactly that content did.
 * - The first link also makes a marker that is never closed. So it lands once, although till 0 is gone by then.
 *
 * Amounts are nowhere read beforehand: closing moves whatever the till holds, a late donation too. Rents are lent by the
 * payer and given back when their account is closed; they may differ between two signatures of one content.
 */
import { createHash } from 'node:crypto';
import { type Instruction, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { unwrapLamports } from '../../chain/payment-instructions.ts';
import { allocateWithSeedInstruction, transferInstruction } from '../../chain/system-instructions.ts';
import {
  closeSolAccount,
  initializeSolAccount,
  syncNative,
  TOKEN_ACCOUNT_SIZE,
} from '../../chain/wrapped-sol-instructions.ts';

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
export interface LinkRents {
  /** Today's rent of a token account without extensions, in lamports. */
  readonly today: bigint;
  /** What was lent for the till that is spent; unused by the first link. */
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

/** Exists from the first link on, for ever. */
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
    ...(previous === undefined ? [] : [closeSolAccount(previous, till.address, wallet)]),
    ...actions.flatMap(({ collect }) => collect?.(till.address) ?? []),
    syncNative(till.address),
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
      space: TOKEN_ACCOUNT_SIZE,
      owner: TOKEN_PROGRAM,
    }),
    initializeSolAccount(address, wallet),
  ];
}

function requireLine(content: string): string {
  // Two actions must not read as three.
  if (content.includes('\n')) throw new TypeError('the content of an action is one line');
  return content;
}
