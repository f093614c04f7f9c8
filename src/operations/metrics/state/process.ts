/** Metrics of the process and its configuration. */

import { statfs } from 'node:fs/promises';
import { gauge, part, type StatePart } from '../state-metrics.ts';

export const processParts: readonly StatePart[] = [
  part('free space', ({ freeSpace }) => freeSpace?.())(
    gauge(
      'levy_data_free_bytes',
      'Free bytes on the disk of a folder: "data" (`DATA_DIR`), "event-store", "read-model", "images". Absent for data on other servers.',
      (found) => found.map(({ folder, bytes }) => [folder, bytes]),
      ['folder'],
    ),
  ),

  part('leases', ({ leases }) => leases?.())(
    gauge(
      'levy_lease_held',
      '1 while this process holds the role. Over all processes the sum is 1, or briefly 0.',
      (found) => found.map(({ name, state }) => [name, state === 'held' ? 1 : 0]),
      ['role'],
    ),
    gauge(
      'levy_lease_failing',
      '1 while the process fails to take or renew the lease: the store does not respond, or the work does not start.',
      (found) => found.map(({ name, error }) => [name, error === undefined ? 0 : 1]),
      ['role'],
    ),
  ),

  part('loops', ({ repetitions }) =>
    Object.entries(repetitions()).map(([loop, repetition]) => ({ loop, ...repetition.status() })),
  )(
    gauge(
      'levy_loop_failing',
      '1 while the latest run of a background loop has failed.',
      (loops) => loops.map(({ loop, error }) => [loop, error === undefined ? 0 : 1]),
      ['loop'],
    ),
    gauge(
      'levy_loop_last_success_timestamp_seconds',
      'Time at which a background loop last succeeded. Absent until it has.',
      (loops) =>
        loops.flatMap(({ loop, lastSuccess }) =>
          lastSuccess === undefined ? [] : [[loop, Date.parse(lastSuccess) / 1000] as const],
        ),
      ['loop'],
    ),
  ),

  part('service', (state) => state)(
    gauge(
      'levy_fee_payer_floor_lamports',
      'The balance of the fee payer below which no drafts are issued.',
      ({ feePayer }) => feePayer && Number(feePayer.floor),
    ),
    gauge(
      'levy_distributor_floor_lamports',
      'The balance of the distributor below which no run is opened.',
      ({ distributor }) => distributor && Number(distributor.floor),
    ),
    gauge(
      'levy_nonce_accounts_maximum',
      'Maximum number of nonce accounts; without a free one no draft is issued.',
      ({ nonceAccountsMax }) => nonceAccountsMax,
    ),
  ),
];

/** `folders`: paths by label. An unreadable folder is omitted. */
export async function freeSpace(folders: ReadonlyMap<string, string>) {
  const found = await Promise.all(
    [...folders].map(async ([folder, path]) => {
      try {
        const { bavail, bsize } = await statfs(path);
        return [{ folder, bytes: bavail * bsize }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
