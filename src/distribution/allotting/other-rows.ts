/** Fills in the rows of a ledger that earn no share: the run's costs, the developer's part, and debts in the other asset. Pure. */
import { addressOf } from 'levy-solana-wire';
import type { OpenedRun } from '../../streams/distribution.ts';
import type { SplitTax } from '../../streams/distribution-run.ts';
import { KINDS, REASONS, type Reason } from '../ledger/record.ts';
import { type Allotted, STANDINGS } from './allot.ts';
import type { LedgerRows } from './ledger-rows.ts';

const COSTS = KINDS.indexOf('costs');
const DEVELOPER = KINDS.indexOf('developer');
const HOLDER = KINDS.indexOf('holder');
const DEBT = KINDS.indexOf('debt');
const EXCLUDED = STANDINGS.indexOf('excluded');

interface Run {
  /** The token's own addresses, and the service's. */
  readonly own: readonly string[];
  readonly open: Pick<OpenedRun, 'asset' | 'settings'>;
  readonly split: Pick<SplitTax, 'costs' | 'developer'>;
}

interface Rows {
  readonly rows: LedgerRows;
  readonly standings: Uint8Array;
  /** 1 where lamports can be paid whatever the amount. */
  readonly takesSol: Uint8Array;
}

/** The rows of costs, of the developer and of debts: they take what is theirs, and no share. */
export function fillOthers(
  { open, split, own }: Run,
  { rows, standings, takesSol }: Rows,
  allotted: Allotted,
  { rentFloor, minimumPayout }: { readonly rentFloor: bigint; readonly minimumPayout: bigint },
): void {
  const developerWallet = open.settings.developerWallet;
  for (let index = 0; index < rows.count; index++) {
    const kind = rows.kinds[index];
    if (kind === HOLDER) continue;
    const isTheirs = kind === COSTS || (kind === DEVELOPER && addressAt(rows, index) === developerWallet);
    const share = !isTheirs ? 0n : BigInt(kind === COSTS ? split.costs : split.developer);
    const due = rows.owedBefore.get(index) + share;
    const isSol = (open.asset === 'sol') === (kind !== DEBT);
    const reason = otherReason({
      due,
      standing: standings[index] ?? EXCLUDED,
      // The developer's wallet may be a vault: its creator chose it.
      mayBeVault: kind !== DEBT,
      isOwn: kind === DEVELOPER && own.includes(addressAt(rows, index)),
      minimum: isSol ? minimumPayout : 1n,
      hasAccount: (isSol ? takesSol[index] : rows.hasAssociated[index]) === 1,
      isSol,
      rentFloor,
    });
    allotted.shares.set(index, share);
    allotted.planned.set(index, reason === 'planned' ? due : 0n);
    allotted.reasons[index] = REASONS.indexOf(reason);
  }
}

function otherReason(row: {
  readonly due: bigint;
  readonly standing: number;
  readonly mayBeVault: boolean;
  /** The mint, the distribution wallet or an address of the service: what is paid there, nobody gets. */
  readonly isOwn: boolean;
  readonly minimum: bigint;
  readonly hasAccount: boolean;
  readonly isSol: boolean;
  readonly rentFloor: bigint;
}): Reason {
  const standing = STANDINGS[row.standing];
  if (standing === 'program' || standing === 'sysvar') return standing;
  if (row.isOwn) return 'excluded';
  if (!row.mayBeVault && (standing === 'excluded' || standing === 'pool' || standing === 'program-owned'))
    return standing;
  if (row.due < row.minimum) return 'below-minimum-payout';
  if (row.hasAccount) return 'planned';
  return row.isSol && row.due >= row.rentFloor ? 'planned' : row.isSol ? 'under-rent-floor' : 'no-account';
}

function addressAt(rows: LedgerRows, index: number): string {
  return addressOf(rows.ownerAt(index));
}
