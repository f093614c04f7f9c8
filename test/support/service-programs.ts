/** The service with something between it and its log, each a program that node runs as it is. */
import { fileURLToPath } from 'node:url';
import { compileProgram } from './compile-program.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const NAMES = ['constants-main', 'killing-main', 'telling-main'] as const;

/** What node runs. `compilePrograms` has made it. */
export const serviceProgram = (name: (typeof NAMES)[number]): readonly [string] => [
  at(`../../node_modules/.cache/levy-test/${name}.mjs`),
];

export async function compilePrograms(): Promise<void> {
  for (const name of NAMES)
    await compileProgram(at(`${name}.ts`), serviceProgram(name)[0], {
      packages: 'external',
      // They find the compiled service from where their sources are.
      define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    });
}
