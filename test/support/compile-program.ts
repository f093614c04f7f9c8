/** Compiles a program into one file, once before a run of tests: a loader that compiles at each start takes more of it than what it loads. */
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BuildOptions } from 'esbuild';

export async function compileProgram(source: string, target: string, options: BuildOptions): Promise<void> {
  // The workers of the tests take only the names of what is made.
  const { build } = await import('esbuild');
  mkdirSync(dirname(target), { recursive: true });
  const made = `${target}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: made,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...options,
  });
  // Another run may start it at the same time.
  renameSync(made, target);
}
