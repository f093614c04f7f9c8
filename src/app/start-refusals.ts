/** Errors for operators when the operating system rejects a port or folder at startup. */
import { statSync } from 'node:fs';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Listening } from '../operations/config/conflicts.ts';

/** Startup failed; the message contains the reason and the remedy. */
export class StartRefused extends OperatorError {
  override readonly name = 'StartRefused';
}

/** Rejects with `StartRefused` if the system does not permit listening. */
export async function listenOrRefuse<Result>(
  where: Listening,
  listen: () => Promise<Result>,
): Promise<Result> {
  return listen().catch((error: unknown) => {
    throw isSystemError(error) ? refusedPort(where, error.message) : error;
  });
}

export function refusedPort({ what, host, port, variable: { name } }: Listening, reason: string) {
  return new StartRefused(
    `${what} cannot listen on ${host}, port ${port}: ${reason}. Stop the process that uses the port, or set ${name === 'PORT' ? 'HOST or PORT' : name} to another value.`,
  );
}

/** Rejects with `StartRefused` if the folder is unusable. `name` is the variable with its path. */
export async function openFolder<Result>(
  { folder, name }: { readonly folder: string; readonly name: string },
  open: () => Promise<Result>,
): Promise<Result> {
  return open().catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    throw new StartRefused(
      `The folder "${folder}" (${name}) cannot be used: ${error.message}. Grant the service's user write permission, or set ${name} to another folder.`,
    );
  });
}

/** Like `openFolder`, for the folder of a SQLite database. */
export async function openDatabaseFolder(
  { path, folder, variable: name }: Readonly<Record<'path' | 'folder' | 'variable', string>>,
  open: (folder: string) => Promise<void>,
): Promise<void> {
  await openFolder({ folder, name }, () => open(folder));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new StartRefused(`"${path}" (${name}) is a folder, but must be the file of a database.`);
}

/** True for errors of the operating system, whose message contains the code, its meaning, and the call. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
