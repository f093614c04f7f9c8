/** `levy prove`: writes a file that proves an event without the service. */
import type { Command } from 'commander';
import { EVENT_PROOF, type EventProofFile, TILE_WIDTH } from 'levy-transparency-log';
import { readMasterSeed } from '../adapters/file/secrets.ts';
import { openFileStore } from '../app/stores.ts';
import { createKeyring } from '../chain/keys.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { readConfiguration } from '../operations/config/configuration.ts';
import { logFiles, servedOrigin } from '../proof/transparency/log-files.ts';
import type { IndexedEntry } from '../proof/transparency/log-tree.ts';
import { publishedLog } from '../proof/transparency/published-log.ts';
import { LevyCommand } from './levy-command.ts';
import { type LogLocation, withLocationOptions, withLog } from './log-location.ts';
import type { Terminal } from './terminal.ts';

export function proveCommand(terminal: Terminal): Command {
  return withLocationOptions(new LevyCommand('prove'))
    .summary('prove an event by the transparency log')
    .description(
      'Prints a proof that an event is in the log. The proof stays valid without the service; check it with `levy verify`. Reads the ' +
        'event from the log, and its Merkle path from the files of the transparency log (LEDGER_STORE_URL, or DATA_DIR).',
    )
    .argument('<event>', 'the id of the event')
    .examples('\n  $ levy prove 3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01 > event-proof.json')
    .action(async (eventId: string, place: LogLocation) => {
      const file = await withLog(terminal, place, (log) => proveEvent(eventId, log, process.env));
      await terminal.out(JSON.stringify(file));
    });
}

/** `env` locates the files: LEDGER_STORE_URL, or DATA_DIR. */
async function proveEvent(
  eventId: string,
  log: Pick<LogReader, 'stream'>,
  env: NodeJS.ProcessEnv,
): Promise<EventProofFile> {
  const configuration = readConfiguration(env);
  const { store: blobs } = await openFileStore('ledgers', configuration);
  try {
    const origin = await servedOrigin(blobs);
    if (origin === undefined)
      throw new OperatorError('The store of ledgers (LEDGER_STORE_URL) contains no transparency log.');
    const files = logFiles(blobs, origin);
    const head = await files.head();
    let found: IndexedEntry | undefined;
    for (let page = 0; head !== undefined && found === undefined && page * TILE_WIDTH < head.size; page++)
      found = (await files.page(page, head)).find(({ id }) => id === eventId);
    if (found === undefined)
      throw new OperatorError(`The transparency log does not contain event ${eventId}.`);
    const { value: event } = await log.stream(found.stream, found.revision)[Symbol.asyncIterator]().next();
    if (event?.id !== eventId) throw new OperatorError(`The log no longer contains event ${eventId}.`);
    const { seed } = await readMasterSeed(configuration.masterSeedFile, { mayCreate: false });
    const { logKey } = createKeyring(seed);
    const published = publishedLog({
      blobs,
      store: { read: (stream, from) => log.stream(stream, from) },
      publicKey: logKey.publicKey,
    });
    const proved = await published.prove({ ...event, position: found.position });
    if (proved.outcome === 'changed')
      throw new OperatorError(`Event ${eventId} differs from its entry in the transparency log.`);
    if (proved.outcome !== 'proved')
      throw new OperatorError(`No checkpoint contains event ${eventId} yet; try again later.`);
    const { id, type, stream, revision, data, metadata, raw } = event;
    return {
      format: EVENT_PROOF,
      event: { id, type, stream, revision, ...(raw === undefined ? { data, metadata } : { raw }) },
      log: { key: proved.key, proof: proved.proof },
    };
  } finally {
    await blobs.close();
  }
}
