// The Chromium of the machine, for tests that click through a page.
import { spawnSync } from 'node:child_process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Undefined where there is none. */
export const chromiumProgram = NAMES.find((name) => spawnSync(name, ['--version']).status === 0);

/** Says once in a file how many of its tests are skipped, and why. */
export function tellOfSkippedChromium(count: number): void {
  if (chromiumProgram !== undefined) return;
  console.warn(`SKIPPED: ${count} tests in a browser, because there is no ${NAMES.join(' or ')} in PATH`);
}
