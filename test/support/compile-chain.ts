/** Compiles the process of the local chain into one file, once before a run of tests that start chains from sources. */
import { fileURLToPath } from 'node:url';

/** The folder of what is compiled for a run of tests. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/levy-test', import.meta.url));

export const COMPILED_CHAIN = `${COMPILED}/chain-process.mjs`;

export default async function compileChain(): Promise<void> {
  // The workers of the tests take only the name of what is made.
  const { bundle } = await import('../../scripts/bundle.ts');
  await bundle({ 'chain-process': 'packages/local-chain/src/chain-process.ts' }, COMPILED, {
    conditions: ['levy-source'],
    outExtension: { '.js': '.mjs' },
    // Imported before the sources, which node cannot read, it keeps them from being loaded; it ends the process by itself.
    footer: { js: 'await new Promise(() => {});' },
  });
}
