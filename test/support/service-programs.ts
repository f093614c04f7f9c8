/** Programs that node runs as they are, compiled once before a run of tests: the service with something between it and its log, and an audit. */
import { COMPILED } from './compile-chain.ts';

const SOURCES = {
  'constants-main': 'test/support/constants-main.ts',
  'killing-main': 'test/support/killing-main.ts',
  'telling-main': 'test/support/telling-main.ts',
} as const;

/** Program that node runs, compiled by `compilePrograms`. */
export const serviceProgram = (name: keyof typeof SOURCES): readonly [string] => [
  `${COMPILED}/services/${name}.mjs`,
];

export async function compilePrograms(): Promise<void> {
  // The workers of the tests take only the names of what is made.
  const { bundle } = await import('../../scripts/bundle.ts');
  await bundle(SOURCES, `${COMPILED}/services`, { outExtension: { '.js': '.mjs' } });
}
