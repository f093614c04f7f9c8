/** Sums of a scan of all holders, recorded with the scan and in the ledger derived from it. */
import { type Static, Type } from '@sinclair/typebox';
import { Address, Amount, U128 } from './values.ts';

/** Base units. Withheld is tax that was harvested into the mint. */
const MintAtSlot = Type.Object({ slot: Amount, supply: Amount, withheld: Amount });

export const ScanSums = Type.Object({
  /** Base units that all accounts hold, without what is withheld in them. */
  balances: Amount,
  /** Base units of tax withheld in the accounts. */
  withheld: Amount,
  /** The mint before and behind the scan. */
  mint: Type.Tuple([MintAtSlot, MintAtSlot]),
  /** Base units burned or harvested between the two reads: a surplus or gap up to this amount is undetectable. */
  slack: Amount,
  /** True if the accounts came in one answer of one slot. */
  inOneAnswer: Type.Boolean(),
  /** Answer of the second node; absent without one. `silent`: it did not answer repeated requests. */
  witness: Type.Optional(Type.Union([Type.Literal('agrees'), Type.Literal('silent')])),
});
export type ScanSums = Static<typeof ScanSums>;

/** The pool of a launch, as final at a slot. */
export const ScannedPool = Type.Object({
  address: Address,
  slot: Amount,
  /** Square root of lamports per base unit, Q64.64. */
  sqrtPrice: U128,
  /** Lamports, of the supply that the scan found. */
  marketCap: U128,
});
export type ScannedPool = Static<typeof ScannedPool>;
