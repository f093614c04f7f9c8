/** Runs litewitness, a witness that others wrote, with a key in an ssh-agent of its own. It knows one log. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const NAME = 'witness.example/w1';
/** Root of an empty tree: the SHA-256 of no bytes. */
const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

export interface Litewitness {
  readonly url: string;
  readonly verifierKey: string;
  /** The size that it signed last. */
  size(): Promise<number>;
  stop(): Promise<void>;
}

/** `key`: the verifier key of the log. */
export async function startLitewitness(
  program: string,
  log: { readonly origin: string; readonly key: string },
): Promise<Litewitness> {
  const folder = await folderForTheFile();
  const socket = join(folder, 'agent');
  const keyFile = join(folder, 'key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
  started(spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' }));
  await eventually('the agent takes the key', () =>
    run('ssh-add', [keyFile], { env: { ...process.env, SSH_AUTH_SOCK: socket } }).then(
      () => true,
      () => false,
    ),
  );
  const { stdout } = await run('ssh-keygen', ['-lf', `${keyFile}.pub`]);
  const [, fingerprint = ''] = stdout.split(' ');
  const file = join(folder, 'witness.db');
  await addLog(file, log);
  const port = await freePort();
  const flags = ['-name', NAME, '-db', file, '-ssh-agent', socket, '-key', fingerprint];
  const child = started(
    spawn(program, [...flags, '-listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}`;
  const verifierKey = await eventually('the witness listens', async () => {
    const [, key] = /vkey=(\S+)/.exec(said) ?? [];
    return (
      key !== undefined &&
      (await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )) &&
      key
    );
  });
  return {
    url,
    verifierKey,
    async size() {
      const [, size] = /\(size (\d+),/.exec(await (await fetch(url)).text()) ?? [];
      return Number(size);
    },
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Replaces the witness's administration tool, which needs a module that is not available everywhere. */
async function addLog(file: string, { origin, key }: { origin: string; key: string }): Promise<void> {
  const database = openSqliteDatabase(file);
  try {
    await database.write(() => {
      database.execute(
        'CREATE TABLE log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL)',
      );
      database.execute(
        'CREATE TABLE key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin))',
      );
      database.statement('INSERT INTO log VALUES (?, 0, ?)').run(origin, EMPTY_ROOT);
      database.statement('INSERT INTO key VALUES (?, ?)').run(origin, key);
    });
  } finally {
    await database.close();
  }
}

function started(child: ChildProcess): ChildProcess {
  afterTheFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}
