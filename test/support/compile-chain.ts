/** Compiles the process of the local chain into one file, once before a run of tests that start chains from sources. */
import { fileURLToPath } from 'node:url';
import { compileProgram } from './compile-program.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const COMPILED_CHAIN = at('../../node_modules/.cache/levy-test/chain-process.mjs');

export default async function compileChain(): Promise<void> {
  await compileProgram(at('../../packages/local-chain/src/chain-process.ts'), COMPILED_CHAIN, {
    conditions: ['levy-source'],
    external: ['libsql', 'litesvm', 'ws'],
    // Imported before the sources, which node cannot read, it keeps them from being loaded; it ends the process by itself.
    footer: { js: 'await new Promise(() => {});' },
  });
}
