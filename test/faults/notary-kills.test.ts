/** The notary's process killed at each step of signing a tree: what is published afterwards always extends what anybody saw. */

import { type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, parseCheckpoint, parsePolicy, verifyLog } from 'levy-transparency-log';
import { expect, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { logFiles, servedOrigin } from '../../src/proof/transparency/log-files.ts';
import { publishedLog } from '../../src/proof/transparency/published-log.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { eventually } from '../support/eventually.ts';
import { type HonestWitness, startHonestWitness } from '../support/honest-witness.ts';
import { runLevy } from '../support/run-levy.ts';
import { secretsIn } from '../support/secret-files.ts';
import type { Environment } from '../support/service.ts';
import { openTestChain } from '../support/service-on-chain.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** More than a page of 256 entries: each life writes a full tile, a bundle and a page of the index before its head. */
const EVENTS = 270;

/** Each new file begins as a temporary one in the same folder, before it is put in its place. */
interface Place {
  readonly watched: (ledgers: string, log: string) => string;
  readonly isIt: (name: string, count: number) => boolean;
}

const temporary = (wanted: number): Place => ({
  watched: (ledgers) => join(ledgers, 'blobs', 'incoming'),
  isIt: (_name, count) => count === wanted,
});
const named = (wanted: string): Place => ({
  watched: (_ledgers, log) => log,
  isIt: (name) => name.startsWith(wanted),
});

const steps: readonly (readonly [string, Place | 'asked' | 'answered'])[] = [
  ['while the first full file is written', temporary(1)],
  ['between two full files', temporary(3)],
  ['once the head is written', named('head')],
  ['while the witness is asked', 'asked'],
  ['once the witness has signed', 'answered'],
  ['once the checkpoint is published', named('checkpoint')],
];

test('a notary that is killed at any step publishes one history, which its witness signs to the end', async () => {
  const folder = await folderForTheFile();
  const { url: CHAIN_URL } = await openTestChain();
  const secrets = await secretsIn(folder);
  const witness = await startHonestWitness();
  const environment = {
    ...secrets.environment,
    CHAIN_URL,
    PUBLIC_URL: 'https://levy.example.com',
    ROLES: 'api,projector,settler,notary',
    WITNESSES: witness.address,
  };
  const first = await startServiceProcess(environment, { folder });
  let largest = await untilWitnessed(first, witness, 0);
  await first.stop();
  const ledgers = join(folder, 'ledgers');
  const log = logFolderIn(join(ledgers, 'named', 'transparency+'));

  for (const [step, place] of steps) {
    await record(folder);
    const { ended, isReached } = await killedAt(place, { environment, folder, ledgers, log, witness });
    expect([step, isReached(), (await ended).signal]).toEqual([step, true, 'SIGKILL']);
    // A newly published checkpoint was shown to the witness before.
    const { size } = checkpointIn(log);
    expect(size).toBeGreaterThanOrEqual(largest);
    expect(size).toBeLessThanOrEqual(witness.last()?.size ?? 0);
    expect((await verified(ledgers, secrets.keyring.logKey.publicKey)).size).toBe(size);
    largest = size;
  }

  await record(folder);
  const after = await startServiceProcess(environment, { folder });
  await untilWitnessed(after, witness, largest + EVENTS - 1);
  await after.stop();
  expect(witness.forks).toEqual([]);
  const audit = await runLevy(['audit', '--json', '--chain', CHAIN_URL], { DATA_DIR: folder });
  // It finds that another program has written to the log; every event of it is the one that was signed.
  const { checks } = JSON.parse(audit.stdout) as Pick<AuditReport, 'checks'>;
  expect(checks.filter(({ check }) => check === 'transparency')).toMatchObject([{ outcome: 'held' }]);
}, 240_000);

/** The service is killed as soon as the step is seen. */
async function killedAt(
  place: (typeof steps)[number][1],
  {
    environment,
    folder,
    ledgers,
    log,
    witness,
  }: {
    readonly environment: Environment;
    readonly folder: string;
    readonly ledgers: string;
    readonly log: string;
    readonly witness: HonestWitness;
  },
) {
  let isSeen = false;
  let kill = () => {};
  const seen = () => {
    isSeen = true;
    kill();
  };
  let watcher: FSWatcher | undefined;
  if (typeof place === 'string') {
    witness.told = (moment) => moment === place && seen();
  } else {
    const names = new Set<string>();
    watcher = watch(place.watched(ledgers, log), (_event, name) => {
      names.add(name ?? '');
      if (place.isIt(name ?? '', names.size)) seen();
    });
  }
  const ended = new Promise<{ readonly signal: NodeJS.Signals | null }>((resolve) => {
    const starting = startServiceProcess(environment, {
      folder,
      began(child) {
        kill = () => child.kill('SIGKILL');
        child.once('exit', (_code, signal) => resolve({ signal }));
      },
    });
    // Killed before it listened or afterwards.
    starting.catch(() => undefined);
  });
  await eventually('it is killed', async () => isSeen, { seconds: 60 });
  await ended;
  watcher?.close();
  witness.told = () => undefined;
  return { ended, isReached: () => isSeen };
}

/** Events of another program, whose streams the service does not parse. They are entries of the log nevertheless. */
async function record(folder: string): Promise<void> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    id: randomId(),
    type: 'Happened',
    data: { index },
    metadata: {},
  }));
  await store.append(`thing-${randomId()}`, 'none', events);
  await store.close();
  await database.close();
}

async function untilWitnessed(
  { url }: Pick<ServiceProcess, 'url'>,
  witness: HonestWitness,
  more: number,
): Promise<number> {
  return eventually(
    `more than ${more} entries are published with the witness's signature`,
    async () => {
      const response = await fetch(`${url}/log/checkpoint`);
      if (!response.ok) return false;
      const { checkpoint, note } = parseCheckpoint(await response.text());
      const isWitnessed = note.signatures.some(({ name }) => name === 'witness.example/honest');
      return isWitnessed && checkpoint.size > more && witness.last()?.size === checkpoint.size
        ? checkpoint.size
        : false;
    },
    { seconds: 60 },
  );
}

/** As whoever saves the log checks it: every entry, every tile, the signature. */
async function verified(ledgers: string, publicKey: Uint8Array): Promise<Checkpoint> {
  const blobs = await openFileBlobStore(ledgers);
  const origin = (await servedOrigin(blobs)) ?? '';
  const files = logFiles(blobs, origin);
  const log = publishedLog({
    blobs,
    store: { async *read() {} },
    publicKey,
  });
  const text = `log ${await log.verifierKey()}\nquorum none`;
  try {
    const { checkpoint } = await verifyLog(async (path) => {
      if (path === 'checkpoint') return Buffer.from((await files.checkpoint()) ?? '');
      return (await log.tile(path.slice('tile/'.length)))?.bytes;
    }, parsePolicy(text));
    return checkpoint;
  } finally {
    await blobs.close();
  }
}

function logFolderIn(transparency: string): string {
  const [name = ''] = readdirSync(transparency).filter((each) => /^[0-9a-f]{16}\+$/.test(each));
  return join(transparency, name);
}

function checkpointIn(log: string): Checkpoint {
  const [name = ''] = readdirSync(log).filter((each) => each.startsWith('checkpoint'));
  return parseCheckpoint(readFileSync(join(log, name), 'utf8')).checkpoint;
}
