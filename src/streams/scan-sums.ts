/** Sums of a scan of all holders, recorded with the scan and in the ledger derived from it. */
import { type Static, Type } from '@sinclair/typebox';
import { Address, Amount, U128 } from './value-types.ts';

/** Base units. `withheld`: harvested tax in the mint. */
const MintAtSlot = Type.Object({ slot: Amount, supply: Amount, withheld: Amount });

export const ScanSums = Type.Object({
  /** Base units in all accounts, without withheld tax. */
  balances: Amount,
  /** Base units of tax withheld in the accounts. */
  withheld: Amount,
  /** The mint before and after the scan. */
  mint: Type.Tuple([MintAtSlot, MintAtSlot]),
  /** Base units burned or harvested between the two reads; a surplus or gap up to this amount is undetectable. */
  slack: Amount,
  /** True if all accounts were in one response of one slot. */
  inOneAnswer: Type.Boolean(),
  /** Result of the second node; absent without a second node. `silent`: it did not respond to repeated requests. */
  witness: Type.Optional(Type.Union([Type.Literal('agrees'), Type.Literal('silent')])),
});
export type ScanSums = Static<typeof ScanSums>;

/** Pool of a launch at a finalized slot. */
export const ScannedPool = Type.Object({
  address: Address,
  slot: Amount,
  /** Square root of lamports per base unit, Q64.64. */
  sqrtPrice: U128,
  /** Market cap of the scanned supply, in lamports. */
  marketCap: U128,
});
export type ScannedPool = Static<typeof ScannedPool>;
