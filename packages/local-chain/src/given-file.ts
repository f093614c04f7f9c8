/** Reads files that the user names, whole; a refusal says which option named the file. */
import { readFileSync } from 'node:fs';

/** The message is meant for the user. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';

  constructor(option: string, file: string, reason: string) {
    super(`${option} names ${file}: ${reason}`);
  }
}

/** @throws FileRefused when the file cannot be read. */
export function readGivenFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileRefused(option, file, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? error.message : String(error);
}
