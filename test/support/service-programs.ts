/** The service with something between it and its log, each a program that node runs as it is. */
import { mkdirSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const FOLDER = at('../../node_modules/.cache/levy-test/');
const NAMES = ['constants-main', 'killing-main', 'telling-main'] as const;

/** What node runs. `compilePrograms` has made it. */
export const serviceProgram = (name: (typeof NAMES)[number]): readonly [string] => [`${FOLDER}${name}.mjs`];

/** Once before a run of tests: a loader that compiles at each start takes more of it than the service does. */
export async function compilePrograms(): Promise<void> {
  // The workers of the tests take only the names above.
  const { build } = await import('esbuild');
  mkdirSync(FOLDER, { recursive: true });
  for (const name of NAMES) {
    const made = `${FOLDER}${name}.${process.pid}`;
    await build({
      entryPoints: [at(`${name}.ts`)],
      outfile: made,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      // They find the compiled service from where their sources are.
      define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    });
    // Another run may start services with it at the same time.
    renameSync(made, serviceProgram(name)[0]);
  }
}
