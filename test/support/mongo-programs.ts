/** The programs that speak MongoDB's protocol and are there to be started: `install-mongo-servers.sh` installs them. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `command` is what TEST_MONGODB_COMMAND runs. */
export type MongoProgram = 'command' | 'secantusd' | 'secantusdb';

/** A shell command that runs one in the foreground, without TLS and users, on 127.0.0.1 at `{port}`, with its data in the folder `{db}`. */
const command = process.env.TEST_MONGODB_COMMAND;
const installed = process.env.TEST_SERVERS_DIR ?? join(homedir(), '.cache', 'levy-test-servers');
const secantusd = join(installed, 'secantusd-0.5.3-beta.196', 'bin', 'secantusd-rs');
const secantusDb = join(installed, 'secantusdb-0.7.0b3');

/** Servers that a test may kill, the most similar to MongoDB first. */
export const mongoServers: readonly MongoProgram[] = chosen(
  [
    ...(command === undefined ? [] : (['command'] as const)),
    ...(existsSync(secantusd) ? (['secantusd'] as const) : []),
    ...(existsSync(secantusDb) ? (['secantusdb'] as const) : []),
  ],
  process.env.TEST_MONGODB_SERVERS,
);

function chosen<Kind extends string>(found: readonly Kind[], names: string | undefined): readonly Kind[] {
  if (names === undefined || names.trim() === '') return found;
  const wanted = names.split(',').map((name) => name.trim());
  return found.filter((kind) => wanted.includes(kind));
}

export interface ServerCommand {
  readonly command: readonly [string, ...string[]];
  readonly environment: { readonly [name: string]: string };
}

export interface MongoPlace {
  readonly port: number;
  readonly folder: string;
  readonly flags: readonly string[];
}

/** Runs one in the foreground, without TLS and users, on 127.0.0.1, with its data in the folder; `flags` are the server's own. */
export function mongoCommand(program: MongoProgram, place: MongoPlace): ServerCommand {
  switch (program) {
    case 'command': {
      const { port, folder, flags } = place;
      const line = (command ?? '').replaceAll('{port}', String(port)).replaceAll('{db}', folder);
      return { command: ['sh', '-c', [line, ...flags].join(' ')], environment: {} };
    }
    case 'secantusd':
      return { command: [secantusd, ...secantusFlags(place)], environment: {} };
    case 'secantusdb':
      return {
        command: ['python3', '-m', 'secantus', ...secantusFlags(place)],
        environment: { PYTHONPATH: secantusDb },
      };
  }
}

/** Both of SecantusDB's servers take the same. */
function secantusFlags({ port, folder, flags }: MongoPlace): readonly string[] {
  const listening = ['--host', '127.0.0.1', '--port', String(port)];
  const kept = ['--storage-path', folder, '--cache-size', '256M', '--log-level', 'ERROR'];
  // Without it, a killed server forgets what it acknowledged as journaled.
  return [...listening, ...kept, '--sync-on-commit', ...flags];
}
