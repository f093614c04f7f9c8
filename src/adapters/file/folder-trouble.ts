/** Says what keeps files from being stored in a folder, by the code of the system's error. */
import type { StoreTrouble } from '../../kernel/ports/errors.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FAILED = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM']);

export function folderTrouble(error: unknown): Omit<StoreTrouble, 'where'> | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (FULL.has(code)) {
    return {
      reason: code,
      kind: 'disk full',
      whatToDo: 'make room: storing goes on by itself (docs/how-to/operate/make-room.md)',
    };
  }
  if (!FAILED.has(code)) return undefined;
  return {
    reason: code,
    kind: 'disk failed',
    whatToDo: 'let the service write to the folder (docs/how-to/operate/make-room.md)',
  };
}
