/** The process itself, and its configuration. */
import { gauge, part, type StatePart, total } from '../state-metrics.ts';

export const processParts: readonly StatePart[] = [
  part('free space', ({ freeSpace }) => freeSpace?.())(
    gauge(
      'levy_data_free_bytes',
      ['folder'],
      'Bytes that are free on the disk of a folder: "data" (`DATA_DIR`), "event-store", "read-model", "images". Absent for what is on other servers.',
      (found) => found.map(({ folder, bytes }) => [folder, bytes]),
    ),
  ),

  part('leases', ({ leases }) => leases?.())(
    gauge(
      'levy_lease_held',
      ['role'],
      '1 while this process does what one process at a time may do. Over all processes the sum is 1, or 0 for a moment.',
      (found) => found.map(({ name, state }) => [name, state === 'held' ? 1 : 0]),
    ),
    gauge(
      'levy_lease_failing',
      ['role'],
      '1 while the process cannot take or keep the lease although it should: the store does not answer, or the work does not begin.',
      (found) => found.map(({ name, error }) => [name, error === undefined ? 0 : 1]),
    ),
  ),

  part('loops', ({ repetitions }) =>
    Object.entries(repetitions()).map(([loop, repetition]) => ({ loop, ...repetition.status() })),
  )(
    gauge('levy_loop_failing', ['loop'], '1 while the latest run of a background loop has failed.', (loops) =>
      loops.map(({ loop, error }) => [loop, error === undefined ? 0 : 1]),
    ),
    gauge(
      'levy_loop_last_success_timestamp_seconds',
      ['loop'],
      'When a background loop last did its work. Absent until it has.',
      (loops) =>
        loops.flatMap(({ loop, lastSuccess }) =>
          lastSuccess === undefined ? [] : [[loop, Date.parse(lastSuccess) / 1000] as const],
        ),
    ),
  ),

  part('service', (state) => state)(
    gauge(
      'levy_fee_payer_floor_lamports',
      [],
      'The balance of the fee payer below which no drafts are issued.',
      ({ feePayerFloor }) => (feePayerFloor === undefined ? undefined : Number(feePayerFloor)),
    ),
    gauge(
      'levy_nonce_accounts_maximum',
      [],
      'How many nonce accounts there may be; without a free one no draft is issued.',
      ({ nonceAccountsMaximum }) => nonceAccountsMaximum,
    ),
    total(
      'levy_local_chain_restarts_total',
      [],
      "How often the embedded chain's process died and was started again. Absent on another chain.",
      ({ chainRestarts }) => chainRestarts?.(),
    ),
  ),
];
