/** Reports in a sentence what the operating system refuses at the start: a port, or a folder. */
import { statSync } from 'node:fs';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Values } from '../operations/config/variables.ts';

/** The start was refused; the message says why and what to do. */
export class StartRefused extends OperatorError {
  override readonly name = 'StartRefused';
}

export interface Listening {
  readonly what: string;
  readonly host: string;
  readonly port: number;
  /** The variables that name the address. */
  readonly hostName: string;
  readonly portName: string;
}

type Listeners = Partial<Readonly<Record<'service' | 'metrics' | 'localChain', Listening>>>;

/** Where a process with such a configuration listens. */
export function listenersOf(values: Configuration): Listeners & { readonly service: Listening };
/** Listeners whose values are wrong are left out. */
export function listenersOf(values: Partial<Values>): Listeners;
export function listenersOf({ host, port, metrics, chain, localChainPort }: Partial<Values>): Listeners {
  const named = (name: string) => ({ hostName: name, portName: name });
  return {
    ...(host !== undefined &&
      port !== undefined && {
        service: { what: 'The service', host, port, hostName: 'HOST', portName: 'PORT' },
      }),
    ...(metrics && { metrics: { what: 'The listener for metrics', ...metrics, ...named('METRICS_PORT') } }),
    ...(chain?.isEmbedded &&
      localChainPort !== undefined && {
        localChain: {
          what: 'The embedded chain',
          host: '127.0.0.1',
          port: localChainPort,
          ...named('LOCAL_CHAIN_PORT'),
        },
      }),
  };
}

/** Rejects with `StartRefused` where the system does not let it listen. */
export async function listeningOrRefused<Result>(
  where: Listening,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    throw refusedPort(where, error) ?? error;
  }
}

export function refusedPort(
  { what, host, port, hostName, portName }: Listening,
  error: unknown,
): StartRefused | undefined {
  const code = codeOf(error);
  const refused = `${what} cannot listen on ${host}, port ${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new StartRefused(
        `${refused}: another process uses the port (${code}). Stop that process, or set ${portName} to another port.`,
      );
    case 'EACCES':
    case 'EPERM':
      return new StartRefused(
        `${refused}: the system does not let this user take the port (${code}). Set ${portName} to a port from 1024 on, or grant the right.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartRefused(
        `${refused}: this machine has no such address (${code}). Set ${hostName} to one that it has.`,
      );
    default:
      return undefined;
  }
}

/** Rejects with `StartRefused` where the folder cannot be used. `name` is the variable that names it. */
export async function folderOrRefused<Result>(
  { folder, name }: { readonly folder: string; readonly name: string },
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    const why = WHY_NO_FOLDER[codeOf(error) ?? ''];
    if (why === undefined) throw error;
    throw new StartRefused(`The folder "${folder}" (${name}) cannot be used: ${why} (${codeOf(error)}).`);
  }
}

/** As `folderOrRefused`, with the folder of a database in SQLite. */
export async function databaseFolderOrRefused(
  { path, folder, variable: name }: Readonly<Record<'path' | 'folder' | 'variable', string>>,
  open: (folder: string) => Promise<void>,
): Promise<void> {
  await folderOrRefused({ folder, name }, () => open(folder));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new StartRefused(`"${path}" (${name}) is a folder. Name a file for the database.`);
}

const NO_RIGHT =
  "the service's user may not write to it or to the folder above. Give it the right, or name another folder";
const NO_FOLDER = 'a file stands where a folder should be. Move it away, or name another folder';

const WHY_NO_FOLDER: { readonly [code: string]: string } = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: 'its file system is read-only. Mount it for writing, or name another folder',
  ENOSPC: 'its disk is full. Make room',
  EDQUOT: "the quota of the service's user is used up. Make room",
  ENOENT: 'its file system takes no folders. Name another folder',
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EIO: 'its disk fails. Repair it, or name another folder',
};

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
