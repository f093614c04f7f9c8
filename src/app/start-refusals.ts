/** Reports in a sentence what the operating system refuses at the start: a port, or a folder. */
import { statSync } from 'node:fs';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Listening } from '../operations/config/problems-between.ts';

/** The start was refused; the message says why and what to do. */
export class StartRefused extends OperatorError {
  override readonly name = 'StartRefused';
}

/** Rejects with `StartRefused` where the system does not let it listen. */
export async function listeningOrRefused<Result>(
  where: Listening,
  listen: () => Promise<Result>,
): Promise<Result> {
  return listen().catch((error: unknown) => {
    throw isOfTheSystem(error) ? refusedPort(where, error.message) : error;
  });
}

export function refusedPort({ what, host, port, variable: { name } }: Listening, reason: string) {
  return new StartRefused(
    `${what} cannot listen on ${host}, port ${port}: ${reason}. Stop the process that has the port, or set ${name === 'PORT' ? 'HOST or PORT' : name} to another one.`,
  );
}

/** Rejects with `StartRefused` where the folder cannot be used. `name` is the variable that names it. */
export async function folderOrRefused<Result>(
  { folder, name }: { readonly folder: string; readonly name: string },
  open: () => Promise<Result>,
): Promise<Result> {
  return open().catch((error: unknown) => {
    if (!isOfTheSystem(error)) throw error;
    throw new StartRefused(
      `The folder "${folder}" (${name}) cannot be used: ${error.message}. Let the service's user write to it, or name another folder.`,
    );
  });
}

/** `folderOrRefused` for the folder of a database in SQLite. */
export async function databaseFolderOrRefused(
  { path, folder, variable: name }: Readonly<Record<'path' | 'folder' | 'variable', string>>,
  open: (folder: string) => Promise<void>,
): Promise<void> {
  await folderOrRefused({ folder, name }, () => open(folder));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new StartRefused(`"${path}" (${name}) is a folder. Name a file for the database.`);
}

/** Such errors have a message for the operator: the code, its meaning, and the call. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
