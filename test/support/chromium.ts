// The Chromium of the machine, for tests that click through a page.
import { spawnSync } from 'node:child_process';

/** The first has no window, nor what draws one: it starts in half of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Its file; undefined where there is none. */
export const chromiumProgram = NAMES.map((name) =>
  spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(),
).find(Boolean);

/** Says once in a file how many of its tests are skipped, and why. */
export function tellOfSkippedChromium(count: number): void {
  if (chromiumProgram !== undefined) return;
  console.warn(`SKIPPED: ${count} tests in a browser, because there is no ${NAMES.join(' or ')} in PATH`);
}
