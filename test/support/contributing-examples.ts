/** The examples of CONTRIBUTING, applied to the sources as they are; on no disk. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyDiff, type FileDiff, readDiff } from './apply-diff.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const examples: readonly (readonly FileDiff[])[] = ['command.diff', 'purpose-of-drafts.diff'].map(
  (name) => readDiff(readFileSync(join(ROOT, 'examples/contributing', name), 'utf8')),
);

/** Returns the example by path. Throws if it does not fit. */
export function applied(example: readonly FileDiff[]): ReadonlyMap<string, string> {
  return new Map(
    example.map((file) => {
      const path = join(ROOT, file.path);
      return [path, applyDiff(existsSync(path) ? readFileSync(path, 'utf8') : undefined, file)];
    }),
  );
}
