/** Says of each owner whether they take part in a run, as far as their addresses show: nobody who cannot spend what they would be paid. */
import { addressBytes, isOnCurve, keyOf, RESERVED_PROGRAMS, RESERVED_SYSVARS } from 'levy-solana-wire';
import { POOL_AUTHORITY } from '../../chain/venue/addresses.ts';
import type { ListedOwners } from '../../streams/distribution-owners.ts';
import { STANDINGS, type Standing } from './allot.ts';

/** An address to which people send tokens to be rid of them. */
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';

const TAKES_PART = STANDINGS.indexOf('takes-part');
const PROGRAM_OWNED = STANDINGS.indexOf('program-owned');
/** Looking whether an address is a point of the curve takes most of the time. */
const PER_SLICE = 128;

export async function standingsOf(
  rows: { readonly count: number; ownerAt(index: number): Uint8Array },
  lists: Pick<ListedOwners, 'keptOut' | 'listedIn'> & {
    /** The service's own addresses and the mint. */
    readonly own: readonly string[];
  },
  rest: () => Promise<void>,
): Promise<Uint8Array> {
  const named = new Map<string, Standing>();
  const name = (addresses: readonly string[], standing: Standing) => {
    for (const address of addresses) named.set(keyOf(addressBytes(address)), standing);
  };
  name(lists.listedIn, 'takes-part');
  name([POOL_AUTHORITY], 'pool');
  name(lists.keptOut, 'excluded-by-creator');
  // The last word: nothing that a creator lists may pay what nobody can spend, or the service's own accounts.
  name(RESERVED_PROGRAMS, 'program');
  name(RESERVED_SYSVARS, 'sysvar');
  name([...lists.own, INCINERATOR], 'excluded');
  const standings = new Uint8Array(rows.count);
  for (let index = 0; index < rows.count; index++) {
    const owner = rows.ownerAt(index);
    const standing = named.get(keyOf(owner));
    if (standing !== undefined) standings[index] = STANDINGS.indexOf(standing);
    else standings[index] = isOnCurve(owner) ? TAKES_PART : PROGRAM_OWNED;
    if (index % PER_SLICE === PER_SLICE - 1) await rest();
  }
  return standings;
}
