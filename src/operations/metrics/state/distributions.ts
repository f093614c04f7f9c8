/**
 * Metrics of distributions: runs, payments, and the distributor. Totals are read from a read model, so a restart does
 * not reset them.
 */
import { paidIn } from '../../../projections/run-sums.ts';
import { RUN_STEPS, type RunStep } from '../../../streams/distribution-step.ts';
import { WAITS } from '../../../streams/distribution-wait.ts';
import { lagOf } from '../../distribution-watch.ts';
import { ageOf, gauge, part, type StatePart, total } from '../state-metrics.ts';

const STEPS = Object.keys(RUN_STEPS) as RunStep[];

export const distributionParts: readonly StatePart[] = [
  part('distributions', ({ distributions }) => distributions?.look())(
    total(
      'levy_distribution_runs_total',
      'Runs of the distributions of all tokens: "opened" and "closed". The difference is the number of open runs. The ' +
        'number is from the read models, so every process that has them reports the same. Use the maximum over ' +
        'processes, not the sum. The same holds for all totals of distributions except sales, scans and transactions.',
      ({ totals }) => [
        ['opened', totals.runsOpened],
        ['closed', totals.runs],
      ],
      ['step'],
    ),
    total(
      'levy_distribution_skips_total',
      'Due runs that were not opened, by reason. Repetitions for the same reason are not counted.',
      ({ totals }) => Object.entries(totals.skips),
      ['reason'],
    ),
    total(
      'levy_distribution_tokens_total',
      'Base units of all tokens together: "withheld" according to scans, "collected", "burned", "sold". A measure of activity, not of value.',
      ({ totals: { withheld, collected, burned, sold } }) => amounts({ withheld, collected, burned, sold }),
      ['what'],
    ),
    total(
      'levy_distribution_proceeds_lamports_total',
      'Proceeds of sales of collected tax, in closed runs.',
      ({ totals }) => Number(totals.proceeds),
    ),
    total(
      'levy_distribution_paid_total',
      'Payments of closed runs: "sol" in lamports, "token" in base units of all tokens together.',
      ({ totals }) => amounts(paidIn(totals.paidTo)),
      ['asset'],
    ),
    gauge(
      'levy_distribution_owed',
      'Earned and unpaid amounts of wallets: "sol" in lamports, "token" in base units of all tokens together.',
      ({ totals }) => amounts(totals.owed),
      ['asset'],
    ),
    total(
      'levy_distribution_payments_total',
      'Payments that the chain has shown at "finalized".',
      ({ totals }) => totals.payments,
    ),
    total(
      'levy_distribution_fees_lamports_total',
      'Lamports of fees that the distributor paid in closed runs.',
      ({ totals }) => Number(totals.fees),
    ),
    total(
      'levy_distribution_costs_repaid_lamports_total',
      'Lamports that closed runs have repaid to the distributor for their fees.',
      ({ totals }) => Number(totals.paidTo.costs.sol),
    ),
    gauge(
      'levy_distributions_halted',
      'Tokens whose distribution is halted: "OPERATOR", or the code of the check that failed.',
      ({ halted }) => Object.entries(halted),
      ['code'],
    ),
    gauge(
      'levy_distributions_all_halted',
      '1 while an operator has halted the distributions of all tokens.',
      ({ allHaltedSince }) => (allHaltedSince === undefined ? 0 : 1),
    ),
  ),

  part('open runs', ({ openRuns }) => openRuns?.look())(
    gauge(
      'levy_distribution_open_runs',
      'Open runs by step, including halted ones. The number is from the read models, so every process that has them reports the same.',
      ({ counts }) => STEPS.map((step) => [step, counts.get(step) ?? 0]),
      ['step'],
    ),
    gauge(
      'levy_distribution_step_age_seconds',
      'Longest time since the last recorded event of an open run in the step; 0 if there is none. Halted runs do not ' +
        'count. The time is from the log, so a restart does not reset it. 0 in "announce", whose end is scheduled.',
      ({ oldest }, { clock }) =>
        STEPS.map((step) => [step, step === 'announce' ? 0 : ageOf(oldest.get(step)?.movedAt, clock)]),
      ['step'],
    ),
    gauge(
      'levy_distribution_stuck_runs',
      'Stuck runs, open or due. A run is stuck if nothing was recorded for longer than its step may take, or if its wait does not end by itself.',
      ({ stuck }) => stuck.length,
    ),
    gauge(
      'levy_distribution_waiting_seconds',
      'Longest time in seconds for which a run, open or due, has waited for this reason; kind: "usual", "trouble" or ' +
        '"fault". Absent for reasons without a waiting run, and in processes that do not distribute.',
      ({ waits }, { clock }) =>
        waits.map(({ code, since }) => [[code, WAITS[code].kind], ageOf(since, clock)]),
      ['code', 'kind'],
    ),
  ),

  part('running distributions', ({ distributionProgress }) => distributionProgress?.()?.overview())(
    gauge(
      'levy_distribution_lag_seconds',
      'Seconds for which the oldest due run has waited to be opened; 0 if none waits. Absent in processes that do not distribute.',
      ({ oldestDue }, { clock }) => lagOf(oldestDue, clock.now()) / 1_000,
    ),
    gauge(
      'levy_distribution_unsettled_batches',
      'Batches of payments whose outcome is not known yet. Absent in processes that do not distribute.',
      ({ unsettled }) => unsettled.batches,
    ),
    gauge(
      'levy_distribution_oldest_batch_age_seconds',
      "Age of the oldest of these batches; 0 if there is none. While it grows, a pot's payments are blocked. Absent " +
        'in processes that do not distribute.',
      ({ unsettled }, { clock }) => ageOf(unsettled.since, clock),
    ),
    gauge(
      'levy_distribution_chain_suitable',
      '0 while the chain cannot carry distributions. Absent in processes that do not distribute.',
      ({ chainUnsuitable }) => (chainUnsuitable === undefined ? 1 : 0),
    ),
    gauge(
      'levy_distribution_witness_agrees',
      '0 while the witness does not respond or differs from the chain node. Absent without a witness, and in ' +
        'processes that do not distribute.',
      ({ witness }) => witness && (witness.state === 'agrees' ? 1 : 0),
    ),
  ),

  part('distributor', ({ distributor }) => distributor?.balance())(
    gauge(
      'levy_distributor_balance_lamports',
      'Balance of the distributor. Absent while it is unknown.',
      Number,
    ),
  ),
];

function amounts(by: { readonly [label: string]: string }): readonly (readonly [string, number])[] {
  return Object.entries(by).map(([label, amount]) => [label, Number(amount)]);
}
