/** Metrics of transactions that users sign, and of the chain. */
import { agesOf } from '../../node-watch.ts';
import { ageOf, gauge, part, type StatePart } from '../state-metrics.ts';

export const draftParts: readonly StatePart[] = [
  part('drafts', ({ workload }) => workload?.drafts())(
    gauge(
      'levy_drafts',
      'Unfinished transactions: "open" await a signature, "submitted" an outcome, "confirmed" finality.',
      (counts) => Object.entries(counts),
      ['state'],
    ),
  ),

  part('nonce accounts', ({ workload }) => workload?.nonceAccounts())(
    gauge(
      'levy_nonce_accounts',
      'Durable-nonce accounts: "known" (all), "leased" to a draft, "free".',
      (counts) => Object.entries(counts),
      ['state'],
    ),
  ),

  part('submissions', ({ workload }) => workload?.submissions())(
    gauge(
      'levy_settler_queue_length',
      'Accepted submissions that are not final yet.',
      ({ toSettle }) => toSettle,
    ),
    gauge(
      'levy_settler_oldest_submission_age_seconds',
      'Seconds for which the oldest accepted submission has waited for its outcome; 0 if none waits.',
      ({ oldestAcceptedAt }, { clock }) => ageOf(oldestAcceptedAt, clock),
    ),
    gauge(
      'levy_settler_overdue_submissions',
      'Accepted submissions whose deadline passed a minute ago or more. Counted up to 100.',
      ({ overdue }) => overdue?.count ?? 0,
    ),
    gauge(
      'levy_settler_flooded_histories',
      'Drafts whose outcome is searched slowly, because more than a thousand transactions involve their account.',
      ({ flooded }) => flooded,
    ),
    gauge(
      'levy_settler_unknown_outcomes',
      'Drafts whose outcome the chain does not show; an operator has to check and conclude them.',
      ({ unknown }) => unknown,
    ),
  ),

  part('chain node', async ({ node, clock }) => {
    const seen = await node?.look();
    return seen && { ...seen, ...agesOf(seen, clock.now().getTime()) };
  })(
    gauge(
      'levy_chain_block_age_seconds',
      'Age of the block of that slot, by its own time.',
      ({ blockAge, finalBlockAge }) => [
        ['confirmed', blockAge / 1_000],
        ['finalized', finalBlockAge / 1_000],
      ],
      ['commitment'],
    ),
    gauge(
      'levy_chain_slot_unchanged_seconds',
      "Seconds since the chain node's confirmed slot last changed.",
      ({ stood }) => stood / 1_000,
    ),
  ),

  part('fee payer', ({ feePayer }) => feePayer?.balance())(
    gauge('levy_fee_payer_balance_lamports', 'Balance of the fee payer. Absent while it is unknown.', Number),
  ),
];
