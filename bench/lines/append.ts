/**
 * One durable append at a time, compared with the minimum for any log: writing the same bytes and waiting for the
 * disk.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { alternate, asyncRatePerSecond, ratePerSecond } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 21;
const MILLISECONDS = 400;
/** Bytes after which writing restarts at the beginning of the preallocated file. */
const LAID_OUT = 5 * 1024 * 1024;

export const append: Line = () =>
  inTemporaryFolder(async (folder) => {
    const database = openSqliteDatabase(join(folder, 'levy.db'));
    const store = createSqliteEventStore(database);
    const data = { walletId: randomId(), address: 'a'.repeat(44), note: 'n'.repeat(60) };
    const metadata = { commandId: randomId() };
    const bytes = Buffer.from(JSON.stringify({ data, metadata }).padEnd(200));

    const growing = openSync(join(folder, 'growing'), 'w');
    const laidOut = openSync(join(folder, 'laid-out'), 'w');
    writeSync(laidOut, Buffer.alloc(LAID_OUT));
    fdatasyncSync(laidOut);
    let at = 0;

    const { medians, ratio } = await alternate(ROUNDS, {
      store: () =>
        asyncRatePerSecond(MILLISECONDS, () =>
          store.append(`note-${randomId()}`, 'none', [{ id: randomId(), type: 'Noted', data, metadata }]),
        ),
      growing: () => {
        ftruncateSync(growing);
        return ratePerSecond(MILLISECONDS, () => {
          writeSync(growing, bytes);
          fdatasyncSync(growing);
        });
      },
      laidOut: () =>
        ratePerSecond(MILLISECONDS, () => {
          writeSync(laidOut, bytes, 0, bytes.length, at);
          fdatasyncSync(laidOut);
          at = (at + bytes.length) % (LAID_OUT - bytes.length);
        }),
    });
    closeSync(growing);
    closeSync(laidOut);
    await store.close();
    await database.close();
    const ours = `${written(medians.store)} appends/s`;
    return [
      {
        what: `append of one event (${bytes.length} bytes) / write and fdatasync at the end of a file`,
        ratio: ratio('store', 'growing'),
        target: { atLeast: 0.8 },
        figures: `${ours}, ${written(medians.growing)} syncs/s`,
      },
      {
        what: 'the same / write and fdatasync within a preallocated file',
        ratio: ratio('store', 'laidOut'),
        figures: `${ours}, ${written(medians.laidOut)} syncs/s`,
      },
    ];
  });
