/** Drafts of transactions, and what becomes of them once they are signed. */
import { duration, oneOf, wholeNumber } from '../value-kinds.ts';
import { advanced, variable } from '../variable.ts';

export const drafts = {
  nonceAccountsMax: advanced(
    'Drafts are refused with `DRAFTS_EXHAUSTED`.',
    variable(
      'NONCE_ACCOUNTS_MAX',
      wholeNumber(1, 10_000, 'accounts'),
      '100',
      'The most drafts that can be open at a time. Each uses a nonce account, whose rent the service pays.',
    ),
  ),
  nonceAccountsMin: advanced(
    'Many users will come at once: the first then wait for no account. Tests set it as well.',
    variable(
      'NONCE_ACCOUNTS_MIN',
      wholeNumber(0, 10_000, 'accounts'),
      '4',
      'The number of nonce accounts made at start. At most `NONCE_ACCOUNTS_MAX`.',
    ),
  ),
  draftLifetimeKind: advanced(
    'Solana ends durable nonces (SIMD-0723). See [Drafts without durable nonces](../how-to/operate/leave-durable-nonces.md).',
    variable(
      'DRAFT_LIFETIME_KIND',
      oneOf('durable-nonce', 'recent-blockhash'),
      'durable-nonce',
      'How drafts stay valid. `durable-nonce`: for five minutes, on nonce accounts of the service. `recent-blockhash`: for about 150 ' +
        'blocks, without nonce accounts. Open drafts keep the kind that they have.',
    ),
  ),
  submitWaitMs: advanced(
    'A proxy in front gives up sooner.',
    variable(
      'SUBMIT_WAIT',
      duration('0s', '10m'),
      '25s',
      'How long a submit call waits for the outcome before it answers `CONFIRMATION_PENDING`.',
    ),
  ),
  settleDeadlineMs: advanced(
    'The cluster is congested, and transactions need longer to land.',
    variable(
      'SETTLE_DEADLINE',
      duration('1ms', '24h'),
      '2m',
      'How long the service keeps sending an accepted transaction before it gives up.',
    ),
  ),
} as const;
