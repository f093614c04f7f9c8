/** How much disk space is left for the service's files. */
import { statfs } from 'node:fs/promises';

export interface FreeSpace {
  readonly folder: string;
  readonly bytes: number;
}

/** `folders` by the name under which they are shown. A folder that cannot be asked is left out. */
export async function freeSpace(folders: ReadonlyMap<string, string>): Promise<readonly FreeSpace[]> {
  const found = await Promise.all(
    [...folders].map(async ([folder, path]) => {
      try {
        const { bavail, bsize } = await statfs(path);
        return [{ folder, bytes: bavail * bsize }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
