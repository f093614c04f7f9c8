/** Why a wallet was paid or not, as a holder reads it. `docs/explanation/who-is-paid.md` says more. */

const REASONS: { readonly [reason: string]: string } = {
  planned: 'Due, and able to receive it.',
  'below-minimum-holding': 'It holds less than the creator asks for. There is no share until it holds more.',
  'below-least-share': 'Its share of this run is too small to be counted. The next run divides it among all.',
  'below-minimum-payout': 'Below the smallest payment. It stays owed, and a later run pays it.',
  'no-account': 'It has no account of the token. It stays owed until there is one.',
  'under-rent-floor':
    'It has no SOL, and the payment alone is too small for the chain to open its account. It stays owed: any SOL in the account, or a later run, ends this.',
  'excluded-by-creator': "The token's creator keeps it out of the distribution.",
  excluded: 'An account of the distribution itself, or one that nobody can spend from.',
  pool: 'The launch venue, which holds the tokens of its pools.',
  'program-owned': 'Only a program can move what is here. It stays owed until the creator lists it in.',
  program: 'A program: what it is paid could never be spent.',
  sysvar: 'An account of the chain itself, which cannot be paid.',
  frozen: 'The chain refused: its token account is frozen. It stays owed.',
  'needs-memo': 'The chain refused: its account asks for a memo with each transfer. It stays owed.',
  'read-only': 'The chain refused: no transaction may write to this account.',
  closed: 'The chain refused: its token account is closed. It stays owed until there is one again.',
  'not-an-account-of-the-mint': 'The chain refused: there is another account at its place. It stays owed.',
  unknown: 'The chain refused, for a reason that this version does not know. It stays owed.',
};

export function reasonText(reason: string): string {
  return REASONS[reason] ?? `Not paid: ${reason}.`;
}

export const KNOWN_REASONS: readonly string[] = Object.keys(REASONS);
