/** The one list of metrics, from which the exposed metrics and the reference page follow. */

export type MetricKind = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition<Kind extends MetricKind = MetricKind, Label extends string = string> {
  readonly kind: Kind;
  readonly name: string;
  readonly labels: readonly Label[];
  readonly help: string;
  /** A histogram's upper bounds. */
  readonly buckets?: readonly number[];
}

function counter<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<'counter', Label> {
  return { kind: 'counter', name, labels, help };
}

function gauge<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<'gauge', Label> {
  return { kind: 'gauge', name, labels, help };
}

function histogram<const Label extends string = never>(
  name: string,
  labels: readonly Label[],
  help: string,
  buckets: readonly number[],
): MetricDefinition<'histogram', Label> {
  return { kind: 'histogram', name, labels, help, buckets };
}

/** Seconds. A submission may wait up to half a minute for its outcome. */
const OF_REQUESTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const OF_APPENDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const OF_CHAIN_CALLS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const OF_COMMANDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export const metricDefinitions = {
  buildInfo: gauge(
    'levy_build_info',
    ['version', 'node_version'],
    'Always 1; the labels say what is running.',
  ),

  httpRequests: counter(
    'levy_http_requests_total',
    ['method', 'route', 'status'],
    'Answered requests, by the pattern of their route; "unknown" is every address that has none.',
  ),
  httpDuration: histogram(
    'levy_http_request_duration_seconds',
    ['method', 'route'],
    'From the arrival of a request to the end of its answer. Streams of events are not in it.',
    OF_REQUESTS,
  ),
  httpRefusals: counter(
    'levy_http_refusals_total',
    ['code'],
    'Requests that were refused, by the code of the problem.',
  ),
  httpUnreadable: counter(
    'levy_http_unreadable_requests_total',
    [],
    'What arrived so broken, large or slow that no request came of it.',
  ),
  httpWaiting: gauge(
    'levy_http_waiting_bytes',
    [],
    'Bytes of answers that wait until their clients read them. 64 MiB at most.',
  ),
  httpUnread: counter(
    'levy_http_unread_connections_total',
    ['reason'],
    'Connections that were closed because their clients did not read: "timeout" after 60 s, "limit" when 64 MiB wait over all connections.',
  ),
  rateLimitRefusals: counter(
    'levy_rate_limit_refusals_total',
    ['policy'],
    'Requests that were refused because their caller had made too many.',
  ),
  partnerRequests: counter(
    'levy_partner_requests_total',
    ['partner', 'status'],
    'Answered requests that came with a key of PARTNER_KEYS.',
  ),
  eventSubscribers: gauge(
    'levy_event_subscribers',
    [],
    'Open connections that are sent events as they happen.',
  ),
  eventFeedStopped: gauge(
    'levy_event_feed_stopped',
    [],
    '1 while subscribers get no events: at an event that cannot be decoded, until that is quarantined; after another failure, until the service is restarted.',
  ),

  appendDuration: histogram(
    'levy_append_duration_seconds',
    ['outcome'],
    'Appends to the event log: "appended" durably, "conflict" where another writer came first, "failed" where the outcome is unknown.',
    OF_APPENDS,
  ),
  eventsAppended: counter(
    'levy_events_appended_total',
    ['type'],
    'Events recorded by this process, by type.',
  ),

  undecodableEvents: gauge(
    'levy_undecodable_events',
    [],
    'Events that this process has read, cannot decode, and that are not quarantined.',
  ),
  quarantinedEvents: gauge(
    'levy_quarantined_events',
    [],
    'Events that every reader skips because an operator has quarantined them.',
  ),
  freeBytes: gauge(
    'levy_data_free_bytes',
    ['folder'],
    'Bytes that are free on the disk of a folder: "data" (`DATA_DIR`), "event-store", "read-model", "images". Absent for what is on other servers.',
  ),

  projectionBehind: gauge(
    'levy_projection_behind',
    ['projection'],
    '1 while the projection has not handled everything that is in the log.',
  ),
  projectionLag: gauge(
    'levy_projection_lag_seconds',
    ['projection'],
    'How old what the projection shows is: the age of the event that it handled last, 0 when it is not behind.',
  ),
  projectionLastEvent: gauge(
    'levy_projection_last_event_timestamp_seconds',
    ['projection'],
    'When the event was recorded that the projection handled last. Absent until it has handled one since the start.',
  ),
  projectionStopped: gauge(
    'levy_projection_stopped',
    ['projection'],
    '1 while the projection stays where it is: at an event that cannot be decoded, until that is quarantined; after another failure until the service starts anew.',
  ),

  logEntries: gauge(
    'levy_log_entries',
    [],
    'Entries of the transparency log, published or about to be. Absent in processes that do not keep it.',
  ),
  logLag: gauge(
    'levy_log_lag_seconds',
    [],
    'How long the oldest event has waited for a checkpoint of the transparency log; 0 while all are published.',
  ),
  logPublished: gauge(
    'levy_log_last_checkpoint_timestamp_seconds',
    [],
    'When the latest checkpoint was published. Absent until this process has published one.',
  ),
  logStopped: gauge(
    'levy_log_stopped',
    ['kind'],
    '1 while the notary signs nothing more: "log" is not what was signed, its own "record" is not, another "notary" writes, or at least half of the witnesses ("witness") have signed another tree. `/ready` says more.',
  ),
  logWitnessSilent: gauge(
    'levy_log_witness_silent',
    ['witness'],
    '1 while a witness of the transparency log does not sign; it is asked again every half minute.',
  ),
  logWitnessDisagrees: gauge(
    'levy_log_witness_disagrees',
    ['witness'],
    '1 since a witness of the transparency log said that it has signed another tree, until it signs again. `/ready` says more.',
  ),

  readModelWriterSilence: gauge(
    'levy_read_model_writer_silent_seconds',
    [],
    'How long this process has seen no sign of the process that writes the shared read models. Absent where read models are not shared.',
  ),
  readModelWriterTerm: gauge(
    'levy_read_model_writer_term',
    [],
    'The term of the process that writes the shared read models: it grows whenever the role is taken. Absent until one has written.',
  ),

  databaseConnections: gauge(
    'levy_database_connections',
    ['state'],
    'Connections of this process to the database servers of read models, images and ledgers: all that are "open", those "in-use"; and commands that are "waiting" for one. Absent where all of these are in files.',
  ),
  databaseWithoutConnection: counter(
    'levy_database_connection_failures_total',
    ['reason'],
    'Commands to these servers that were not sent, because they got no connection: "timeout" waiting for a free one, "connectionError", "poolClosed".',
  ),
  databaseCommandDuration: histogram(
    'levy_database_command_duration_seconds',
    ['command', 'outcome'],
    'Commands to these servers, from sending to the answer: "answered", "refused" by the server, "unanswered" where the outcome is unknown.',
    OF_COMMANDS,
  ),

  publisherWorking: gauge(
    'levy_publisher_working',
    [],
    '1 while outcomes are brought to the bus, 0 while the bus cannot be used. Absent in processes that do not publish.',
  ),
  publisherLag: gauge(
    'levy_publisher_lag_seconds',
    [],
    'How long the oldest outcome has waited that is not known to be on the bus; 0 when none does. Absent while it is not known how far the bus is.',
  ),
  publishedMessages: counter(
    'levy_published_messages_total',
    [],
    'Outcomes that the bus has acknowledged to this process as stored. Absent where nothing is published.',
  ),
  publisherConnections: counter(
    'levy_publisher_connections_total',
    [],
    'How often this process connected to the bus: again whenever it was lost. Absent where nothing is published.',
  ),

  drafts: gauge(
    'levy_drafts',
    ['state'],
    'Transactions under way: "open" await a signature, "submitted" an outcome, "confirmed" finality.',
  ),
  nonceAccounts: gauge(
    'levy_nonce_accounts',
    ['state'],
    'Durable-nonce accounts: all that are "known", "leased" to a draft, "free".',
  ),
  nonceAccountsMaximum: gauge(
    'levy_nonce_accounts_maximum',
    [],
    'How many nonce accounts there may be; without a free one no draft is issued.',
  ),
  settlerQueue: gauge('levy_settler_queue_length', [], 'Accepted submissions that are not final yet.'),
  settlerOldest: gauge(
    'levy_settler_oldest_submission_age_seconds',
    [],
    'Since when the oldest accepted submission has waited for its outcome; 0 when none does.',
  ),
  settlerOverdue: gauge(
    'levy_settler_overdue_submissions',
    [],
    'Accepted submissions that should have been settled by now: their deadline passed a minute ago or more. Counted up to 100.',
  ),
  settlerFlooded: gauge(
    'levy_settler_flooded_histories',
    [],
    'Drafts whose outcome is searched slowly, because more than a thousand transactions name their account.',
  ),
  settlerUnknown: gauge(
    'levy_settler_unknown_outcomes',
    [],
    'Drafts whose outcome the chain does not show: an operator has to look them up and conclude them.',
  ),
  leaseHeld: gauge(
    'levy_lease_held',
    ['role'],
    '1 while this process does what one process at a time may do. Over all processes the sum is 1, or 0 for a moment.',
  ),
  leaseFailing: gauge(
    'levy_lease_failing',
    ['role'],
    '1 while the process cannot take or keep the lease although it should: the store does not answer, or the work does not begin.',
  ),
  loopFailing: gauge(
    'levy_loop_failing',
    ['loop'],
    '1 while the latest run of a background loop has failed.',
  ),
  loopLastSuccess: gauge(
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
  chainSlot: gauge(
    'levy_chain_slot',
    ['commitment'],
    'The latest slot that the chain node shows. Absent while the node does not answer.',
  ),
  chainBlockAge: gauge(
    'levy_chain_block_age_seconds',
    ['commitment'],
    'How old the block of that slot is, by its own time.',
  ),
  chainSlotUnchanged: gauge(
    'levy_chain_slot_unchanged_seconds',
    [],
    "Since when the chain node's confirmed slot has not changed.",
  ),
  feePayerBalance: gauge(
    'levy_fee_payer_balance_lamports',
    [],
    'What the fee payer holds. Absent while the chain does not tell.',
  ),
  feePayerFloor: gauge(
    'levy_fee_payer_floor_lamports',
    [],
    'The balance of the fee payer below which no drafts are issued.',
  ),
  localChainRestarts: counter(
    'levy_local_chain_restarts_total',
    [],
    "How often the embedded chain's process died and was started again. Absent on another chain.",
  ),

  distributionRuns: counter(
    'levy_distribution_runs_total',
    ['step'],
    'Runs of the distributions of all tokens: "opened" and "closed"; the difference is open now. Kept in the read models, so that it is the same in every process that has them: take the maximum, not the sum. So are all totals of distributions but scans and transactions.',
  ),
  distributionSkips: counter(
    'levy_distribution_skips_total',
    ['reason'],
    'Due runs that were not opened, by reason; repetitions for the same reason are not counted.',
  ),
  distributionsHalted: gauge(
    'levy_distributions_halted',
    ['code'],
    'Tokens whose distribution is halted: "OPERATOR", or the code of the check that failed.',
  ),
  distributionsAllHalted: gauge(
    'levy_distributions_all_halted',
    [],
    '1 while an operator has halted the distributions of all tokens.',
  ),
  distributionTokens: counter(
    'levy_distribution_tokens_total',
    ['what'],
    'Base units of all tokens together: "withheld" as scans found them, "collected", "burned", "sold". They show that something moves, not what it is worth.',
  ),
  distributionProceeds: counter(
    'levy_distribution_proceeds_lamports_total',
    [],
    'Lamports that sales of collected tax brought, in closed runs.',
  ),
  distributionPaid: counter(
    'levy_distribution_paid_total',
    ['asset'],
    'What closed runs paid out: "sol" in lamports, "token" in base units of all tokens together.',
  ),
  distributionOwed: gauge(
    'levy_distribution_owed',
    ['asset'],
    'What wallets have earned and were not paid yet: "sol" in lamports, "token" in base units of all tokens together.',
  ),
  distributionPayments: counter(
    'levy_distribution_payments_total',
    [],
    'Payments that the chain has shown at "finalized".',
  ),
  distributionFees: counter(
    'levy_distribution_fees_lamports_total',
    [],
    'Lamports of fees that the distributor paid in closed runs.',
  ),
  distributionCosts: counter(
    'levy_distribution_costs_repaid_lamports_total',
    [],
    'Lamports that closed runs have repaid to the distributor for their fees.',
  ),
  distributionLag: gauge(
    'levy_distribution_lag_seconds',
    [],
    'Since when the oldest due run has waited to be opened; 0 when none does. Absent in processes that do not distribute.',
  ),
  distributionOpenRuns: gauge(
    'levy_distribution_open_runs',
    ['step'],
    'Open runs by the step that they are in, halted ones among them. From the read models: the same in every process that has them.',
  ),
  distributionStepAge: gauge(
    'levy_distribution_step_age_seconds',
    ['step'],
    'How long nothing was recorded of a run of the step: of the one that has not moved for longest, without halted ones; 0 without any. Counted from the log, so that a restart changes nothing; 0 in "announce", whose end is known.',
  ),
  distributionStuck: gauge(
    'levy_distribution_stuck_runs',
    [],
    'Open runs that are stuck: nothing was recorded for longer than their step may take, or they wait for what does not end by itself.',
  ),
  distributionWaiting: gauge(
    'levy_distribution_waiting_seconds',
    ['code', 'kind'],
    'Since when the open run that has waited longest waits for this; kind: "usual", "trouble" or "fault". Absent for what no run waits for, and in processes that do not distribute.',
  ),
  distributionUnsettled: gauge(
    'levy_distribution_unsettled_batches',
    [],
    'Batches of payments whose outcome is not known yet. Absent in processes that do not distribute.',
  ),
  distributionOldestBatch: gauge(
    'levy_distribution_oldest_batch_age_seconds',
    [],
    'Age of the oldest of these batches: while it grows, a meter stands still. 0 without any. Absent in processes that do not distribute.',
  ),
  distributionChainSuitable: gauge(
    'levy_distribution_chain_suitable',
    [],
    '0 while the chain cannot carry distributions. Absent in processes that do not distribute.',
  ),
  distributionWitness: gauge(
    'levy_distribution_witness_agrees',
    [],
    '0 while the witness does not answer or shows something else than the chain node. Absent without a witness, and in processes that do not distribute.',
  ),
  distributionScans: counter(
    'levy_distribution_scans_total',
    ['outcome'],
    'Looks at all accounts of a token: "complete", "inconsistent" ones that are read again in one answer, "failed" ones, and those that do not add up to the supply: "disagrees". By this process.',
  ),
  distributionTransactions: counter(
    'levy_distribution_transactions_total',
    ['kind', 'outcome'],
    'Transactions of distributions: "harvest", "withdraw", "link", "payment"; "sent" (again each time), "landed", "refused" by the chain. By this process.',
  ),
  distributionSales: counter(
    'levy_distribution_sales_total',
    ['outcome'],
    'Runs that had tax to sell: "sold", or why nothing was sold, as in `GET /distribution/:tokenId/runs/:runId`. By this process.',
  ),
  distributorBalance: gauge(
    'levy_distributor_balance_lamports',
    [],
    'What the distributor holds. Absent while the chain does not tell.',
  ),
  distributorFloor: gauge(
    'levy_distributor_floor_lamports',
    [],
    'The balance of the distributor below which no run is opened.',
  ),

  scrapeFailures: counter(
    'levy_scrape_failures_total',
    ['part'],
    'Parts that could not be asked when metrics were read, and whose metrics were left out.',
  ),
} as const;
