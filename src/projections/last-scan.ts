/** What the last scan of a token showed, as several read models keep it. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { distributionRunEvents } from '../streams/distribution-run.ts';

export type LastScan = {
  /** Owners of accounts of the token: pools and programs are among them. */
  readonly owners: number;
  /** Base units that existed when the scan looked, less what its run has burned since. */
  readonly supply: string;
  /** ISO 8601: when the supply was seen last. */
  readonly at: string;
};

type Scan = Extract<EventOf<typeof distributionRunEvents>, { type: 'HoldersScanned' }>['data'];

export function scanSeen({ owners, supply }: Pick<Scan, 'owners' | 'supply'>, at: string): LastScan {
  return { owners, supply, at };
}

/** Nobody can mint: what is burned is gone. */
export function splitSeen({ owners, supply }: LastScan, burned: string, at: string): LastScan {
  return { owners, supply: (BigInt(supply) - BigInt(burned)).toString(), at };
}
