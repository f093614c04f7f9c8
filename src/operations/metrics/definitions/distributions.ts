/** Distributions: runs, payments, and the distributor. */
import { counter, stateGauge } from '../definition.ts';

export const distributionMetrics = {
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
  distributionsHalted: stateGauge(
    'levy_distributions_halted',
    ['code'],
    'Tokens whose distribution is halted: "OPERATOR", or the code of the check that failed.',
  ),
  distributionsAllHalted: stateGauge(
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
  distributionOwed: stateGauge(
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
  distributionLag: stateGauge(
    'levy_distribution_lag_seconds',
    [],
    'Since when the oldest due run has waited to be opened; 0 when none does. Absent in processes that do not distribute.',
  ),
  distributionOpenRuns: stateGauge(
    'levy_distribution_open_runs',
    ['step'],
    'Open runs by the step that they are in, halted ones among them. From the read models: the same in every process that has them.',
  ),
  distributionStepAge: stateGauge(
    'levy_distribution_step_age_seconds',
    ['step'],
    'How long nothing was recorded of a run of the step: of the one that has not moved for longest, without halted ones; 0 without any. Counted from the log, so that a restart changes nothing; 0 in "announce", whose end is known.',
  ),
  distributionStuck: stateGauge(
    'levy_distribution_stuck_runs',
    [],
    'Runs that are stuck, open ones and ones that are to be opened: nothing was recorded for longer than their step may take, or they wait for what does not end by itself.',
  ),
  distributionWaiting: stateGauge(
    'levy_distribution_waiting_seconds',
    ['code', 'kind'],
    'Since when the run, open or to be opened, that has waited longest waits for this; kind: "usual", "trouble" or "fault". Absent for what no run waits for, and in processes that do not distribute.',
  ),
  distributionUnsettled: stateGauge(
    'levy_distribution_unsettled_batches',
    [],
    'Batches of payments whose outcome is not known yet. Absent in processes that do not distribute.',
  ),
  distributionOldestBatch: stateGauge(
    'levy_distribution_oldest_batch_age_seconds',
    [],
    'Age of the oldest of these batches: while it grows, a meter stands still. 0 without any. Absent in processes that do not distribute.',
  ),
  distributionChainSuitable: stateGauge(
    'levy_distribution_chain_suitable',
    [],
    '0 while the chain cannot carry distributions. Absent in processes that do not distribute.',
  ),
  distributionWitness: stateGauge(
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
    'Transactions of distributions: "harvest", "withdraw", "link", "payment"; "sent" (again each time), "landed", "refused" by the chain, "failed" on the chain at the cost of a fee. By this process.',
  ),
  distributionSales: counter(
    'levy_distribution_sales_total',
    ['outcome'],
    'Runs that had tax to sell: "sold", or why nothing was sold, as in `GET /distribution/:tokenId/runs/:runId`. By this process.',
  ),
  distributorBalance: stateGauge(
    'levy_distributor_balance_lamports',
    [],
    'What the distributor holds. Absent while the chain does not tell.',
  ),
  distributorFloor: stateGauge(
    'levy_distributor_floor_lamports',
    [],
    'The balance of the distributor below which no run is opened.',
  ),
} as const;
