/** Compiles the process of the local chain into one file, once before a run of tests that start chains from sources. */
import { renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const COMPILED_CHAIN = at('../../node_modules/.cache/levy-test/chain-process.mjs');

export default async function compileChain(): Promise<void> {
  // The workers of the tests take only the name above.
  const { build } = await import('esbuild');
  const made = `${COMPILED_CHAIN}.${process.pid}`;
  await build({
    entryPoints: [at('../../packages/local-chain/src/chain-process.ts')],
    outfile: made,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['levy-source'],
    external: ['libsql', 'litesvm', 'ws'],
    // Imported before the sources, which node cannot read, it keeps them from being loaded; it ends the process by itself.
    footer: { js: 'await new Promise(() => {});' },
  });
  // Another run may start chains from it at the same time.
  renameSync(made, COMPILED_CHAIN);
}
