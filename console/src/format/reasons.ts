/** Explanations of payment reasons for holders; see `docs/explanation/who-is-paid.md`. */

const REASONS: { readonly [reason: string]: string } = {
  planned: 'Payment due.',
  'below-minimum-holding': 'Below the minimum holding that the creator set.',
  'below-least-share':
    'Its share of this run rounds to zero. The next run divides the remainder among all holders.',
  'below-minimum-payout': 'Below the smallest payment. The amount stays owed and a later run pays it.',
  'no-account': 'The wallet has no account for the token. The amount stays owed until it has one.',
  'under-rent-floor':
    'The wallet has no SOL and the payment alone is too small to open its account. The amount stays owed until the wallet holds SOL or enough is owed.',
  'excluded-by-creator': "Excluded by the token's creator.",
  excluded: 'An account of the distribution itself, or an address that nobody can spend from.',
  pool: 'The launch venue, which holds the tokens in its pools.',
  'program-owned':
    'Only a program can move funds of this address. The amount stays owed until the creator adds it to the allow-list.',
  program: 'A program, which could never spend a payment.',
  sysvar: 'A system account of the chain, which cannot be paid.',
  frozen: 'Refused by the chain: the token account is frozen. The amount stays owed.',
  'needs-memo': 'Refused by the chain: the account requires a memo on each transfer. The amount stays owed.',
  'read-only': 'Refused by the chain: no transaction may write to this account.',
  closed:
    'Refused by the chain: the token account is closed. The amount stays owed until there is one again.',
  'not-an-account-of-the-mint':
    'Refused by the chain: another account is at its address. The amount stays owed.',
  unknown: 'Refused by the chain for an unknown reason. The amount stays owed.',
};

export function reasonText(reason: string): string {
  return REASONS[reason] ?? `Not paid: ${reason}.`;
}

export const KNOWN_REASONS: readonly string[] = Object.keys(REASONS);
