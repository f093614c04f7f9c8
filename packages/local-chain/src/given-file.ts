/** Files that an operator names: read whole, or refused in a sentence that says by which variable they were named. */
import { readFileSync } from 'node:fs';

/** The message is for the operator. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';

  constructor(variable: string, file: string, reason: string) {
    super(`${variable} names ${file}: ${reason}`);
  }
}

/** @throws FileRefused when it cannot be read. */
export function readGivenFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileRefused(variable, file, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? error.message : String(error);
}
