/** Compiles the sources once before a run of tests that start the real process from `dist`, as an operator would. */
import { execFileSync } from 'node:child_process';
import { compilePrograms } from './service-programs.ts';

export default async function build(): Promise<void> {
  await compilePrograms();
  if (process.env.LEVY_SKIP_BUILD === '1') return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  // Each tier calls this; one build serves all of the run.
  process.env.LEVY_SKIP_BUILD = '1';
}
