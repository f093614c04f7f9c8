/** Compiles the sources once before a run of tests that start the real process from `dist`, as an operator would. */
import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { renderGuides } from '../../scripts/render-guides.ts';
import { compilePrograms } from './service-programs.ts';

const STARTS_PROCESSES = /\/test\/(walks|journeys|faults)\//;

export default async function build({ vitest }: TestProject): Promise<void> {
  // The service serves them also from its sources.
  renderGuides();
  if (!vitest.state.getPaths().some((path) => STARTS_PROCESSES.test(path))) return;
  await compilePrograms();
  if (process.env.LEVY_SKIP_BUILD === '1') return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  // Each project calls this; one build serves all of the run.
  process.env.LEVY_SKIP_BUILD = '1';
}
