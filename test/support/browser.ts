/** Pages in the Chromium of the machine, with what it complains of, and what axe finds on them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumProgram } from './chromium.ts';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface OpenedPage {
  readonly page: Page;
  /** Errors of a browser: script errors, resources that a policy blocked, calls to other hosts. */
  readonly complaints: readonly string[];
}

export interface Look {
  /** Pixels. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** A script that runs in the page before its own. */
  readonly before?: string;
}

export async function openBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root, as whom tests run in containers.
  return chromium.launch({ executablePath: chromiumProgram ?? '', args: ['--no-sandbox'] });
}

/** `isComplaint` says which messages of the console are. */
export async function openPage(
  browser: Browser,
  address: string,
  { width = 1_280, colorScheme = 'light', before }: Look,
  isComplaint: (message: string) => boolean,
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints: string[] = [];
  const own = `${new URL(address).origin}/`;
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (isComplaint(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`);
  });
  if (before !== undefined) await page.addInitScript({ content: before });
  await page.goto(address);
  return { page, complaints };
}

/** What axe finds, one line each. */
export async function faultsOf(page: Page, part = 'html'): Promise<readonly string[]> {
  // The page's policy lets nobody add a script: axe comes by way of the browser's own tools.
  await page.evaluate(AXE);
  const { violations }: { violations: { id: string; nodes: { html: string }[] }[] } = await page.evaluate(
    `axe.run('${part}', { rules: { 'label-content-name-mismatch': { enabled: true } } })`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');
