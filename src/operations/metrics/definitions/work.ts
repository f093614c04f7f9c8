/** Drafts and submissions, roles, background loops, and the chain that they work with. */
import { counter, gauge, histogram, stateGauge } from '../definition.ts';

/** Seconds. */
const OF_CHAIN_CALLS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const workMetrics = {
  drafts: stateGauge(
    'levy_drafts',
    ['state'],
    'Transactions under way: "open" await a signature, "submitted" an outcome, "confirmed" finality.',
  ),
  nonceAccounts: stateGauge(
    'levy_nonce_accounts',
    ['state'],
    'Durable-nonce accounts: all that are "known", "leased" to a draft, "free".',
  ),
  nonceAccountsMaximum: stateGauge(
    'levy_nonce_accounts_maximum',
    [],
    'How many nonce accounts there may be; without a free one no draft is issued.',
  ),
  settlerQueue: stateGauge('levy_settler_queue_length', [], 'Accepted submissions that are not final yet.'),
  settlerOldest: stateGauge(
    'levy_settler_oldest_submission_age_seconds',
    [],
    'Since when the oldest accepted submission has waited for its outcome; 0 when none does.',
  ),
  settlerOverdue: stateGauge(
    'levy_settler_overdue_submissions',
    [],
    'Accepted submissions that should have been settled by now: their deadline passed a minute ago or more. Counted up to 100.',
  ),
  settlerFlooded: stateGauge(
    'levy_settler_flooded_histories',
    [],
    'Drafts whose outcome is searched slowly, because more than a thousand transactions name their account.',
  ),
  settlerUnknown: stateGauge(
    'levy_settler_unknown_outcomes',
    [],
    'Drafts whose outcome the chain does not show: an operator has to look them up and conclude them.',
  ),
  leaseHeld: stateGauge(
    'levy_lease_held',
    ['role'],
    '1 while this process does what one process at a time may do. Over all processes the sum is 1, or 0 for a moment.',
  ),
  leaseFailing: stateGauge(
    'levy_lease_failing',
    ['role'],
    '1 while the process cannot take or keep the lease although it should: the store does not answer, or the work does not begin.',
  ),
  loopFailing: stateGauge(
    'levy_loop_failing',
    ['loop'],
    '1 while the latest run of a background loop has failed.',
  ),
  loopLastSuccess: stateGauge(
    'levy_loop_last_success_timestamp_seconds',
    ['loop'],
    'When a background loop last did its work. Absent until it has.',
  ),

  chainCalls: counter(
    'levy_chain_calls_total',
    ['method', 'outcome'],
    'Calls to the chain node: "answered", "behind" if every answer was older than what was asked for, "unavailable" without an answer in time, "invalid" with one that makes no sense.',
  ),
  chainCallDuration: histogram(
    'levy_chain_call_duration_seconds',
    ['method'],
    'How long calls to the chain node took, whatever came of them.',
    OF_CHAIN_CALLS,
  ),
  chainNodeCalls: counter(
    'levy_chain_node_calls_total',
    ['node', 'method', 'outcome'],
    'Calls to each node of `CHAIN_URL`, named by its host. A read that is tried again counts each time, and calls that are joined count once. An answer that is older than what was asked for is "behind", and is not used.',
  ),
  chainNodeState: gauge(
    'levy_chain_node_state',
    ['node', 'state'],
    '1 for the state that a node of `CHAIN_URL` is in: "well", "failing", "behind" the other nodes or what was asked for, or "foreign" if it is one of another chain. The others are 0.',
  ),
  chainSlot: stateGauge(
    'levy_chain_slot',
    ['commitment'],
    'The latest slot that the chain node shows. Absent while the node does not answer.',
  ),
  chainBlockAge: stateGauge(
    'levy_chain_block_age_seconds',
    ['commitment'],
    'How old the block of that slot is, by its own time.',
  ),
  chainSlotUnchanged: stateGauge(
    'levy_chain_slot_unchanged_seconds',
    [],
    "Since when the chain node's confirmed slot has not changed.",
  ),
  feePayerBalance: stateGauge(
    'levy_fee_payer_balance_lamports',
    [],
    'What the fee payer holds. Absent while the chain does not tell.',
  ),
  feePayerFloor: stateGauge(
    'levy_fee_payer_floor_lamports',
    [],
    'The balance of the fee payer below which no drafts are issued.',
  ),
  localChainRestarts: counter(
    'levy_local_chain_restarts_total',
    [],
    "How often the embedded chain's process died and was started again. Absent on another chain.",
  ),
} as const;
