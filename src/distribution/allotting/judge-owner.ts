/** Determines from the account at an owner's address if anybody could spend a payment to it. Pure. */
import { PROGRAM_OWNERS, SYSTEM_PROGRAM, SYSVAR_OWNER } from 'levy-solana-wire';
import type { ChainAccount } from '../../kernel/ports/chain.ts';
import type { Eligibility } from './divide-shares.ts';

/**
 * `absent` and `wallet` are paid. Nobody can spend lamports of a `program` or a `sysvar`; only its program can spend the lamports
 * of a `program-owned` account, and the program may have no instruction for that.
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

/** Eligibility after the account was read. Owners on the creator's list are paid, except programs and sysvars. */
export function eligibilityAfterRead(
  eligibility: Eligibility,
  verdict: OwnerVerdict,
  isListedIn: boolean,
): Eligibility {
  switch (verdict) {
    case 'program':
    case 'sysvar':
      return verdict;
    case 'program-owned':
      return isListedIn ? eligibility : verdict;
    case 'absent':
    case 'wallet':
      return eligibility;
  }
}
