/** Judges an owner of tokens by the account at its address: whether somebody can spend what it would be paid. Pure. */
import { PROGRAM_OWNERS, SYSTEM_PROGRAM, SYSVAR_OWNER } from 'levy-solana-wire';
import type { ChainAccount } from '../../kernel/ports/chain.ts';
import type { Standing } from './allot.ts';

/**
 * `absent` and `wallet` are paid. Lamports of a `program` or a `sysvar` can be spent by nobody; those of a `program-owned`
 * account by its program alone, which may have no instruction for it.
 */
export const VERDICTS = ['absent', 'wallet', 'program', 'sysvar', 'program-owned'] as const;
export type OwnerVerdict = (typeof VERDICTS)[number];

export function judgeOwner(account: Pick<ChainAccount, 'owner'> | undefined): OwnerVerdict {
  if (account === undefined) return 'absent';
  const { owner } = account;
  if (owner === SYSTEM_PROGRAM) return 'wallet';
  if (PROGRAM_OWNERS.includes(owner)) return 'program';
  return owner === SYSVAR_OWNER ? 'sysvar' : 'program-owned';
}

/** Standing after the account was read. Owners on the creator's list are paid, except programs and sysvars. */
export function standingAfterLook(standing: Standing, verdict: OwnerVerdict, isListedIn: boolean): Standing {
  switch (verdict) {
    case 'program':
    case 'sysvar':
      return verdict;
    case 'program-owned':
      return isListedIn ? standing : verdict;
    case 'absent':
    case 'wallet':
      return standing;
  }
}
