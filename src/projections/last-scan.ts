/** Result of a token's last scan, as stored by several read models. */
import { sumAmounts } from '../streams/sum-amounts.ts';

export type LastScan = {
  /** Owners with a balance, without the service's own accounts and pools. */
  readonly owners: number;
  /** Base units at the scan, less the burn of its run. */
  readonly supply: string;
  /** ISO 8601 time of the supply. */
  readonly at: string;
};

/** Subtracts a burn from the supply, which is permanent because the mint has no authority. */
export function afterBurn(scanned: LastScan | null, burned: string, at: string): LastScan | null {
  return scanned && { ...scanned, supply: sumAmounts(scanned.supply, `-${burned}`), at };
}
