/** Reads whole files that the user names; errors contain the option that named the file. */
import { readFileSync } from 'node:fs';

/** Error with a message for the user. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';

  constructor(option: string, file: string, reason: string) {
    super(`${option} names ${file}: ${reason}`);
  }
}

/** @throws FileRefused if the file cannot be read. */
export function readGivenFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileRefused(option, file, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EISDIR') return 'the path is a folder';
  return error instanceof Error ? error.message : String(error);
}
