/** The page of the API in Chromium, on a service of its own. */
import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumProgram } from './chromium.ts';
import { eventually } from './eventually.ts';
import { openTestService, type TestService } from './service.ts';

export interface OpenedPage {
  readonly page: Page;
  /** What the browser complained of: scripts or calls that it kept back. */
  readonly complaints: readonly string[];
}

interface Look {
  /** Pixels. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Below the service's address. */
  readonly path?: string;
  /** A script that runs in the page before its own. */
  readonly before?: string;
}

export interface DocsReader {
  readonly service: TestService;
  openPage(hostname: string, look?: Look): Promise<OpenedPage>;
  /** With a key that the page makes. */
  signIn(page: Page): Promise<void>;
  close(): Promise<void>;
}

export async function openDocsReader(): Promise<DocsReader> {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '3' });
  const { stdout } = spawnSync('which', [chromiumProgram ?? ''], { encoding: 'utf8' });
  // Chromium refuses its sandbox to root, as whom tests run in containers.
  const browser: Browser = await chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox'] });
  return {
    service,
    close: () => browser.close(),
    async openPage(hostname, { width = 1_280, colorScheme = 'light', path = '/', before } = {}) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const complaints: string[] = [];
      const own = `http://${hostname}:${new URL(service.url).port}/`;
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy|CORS/.test(message.text())) complaints.push(message.text());
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(own) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
      });
      if (before !== undefined) await page.addInitScript({ content: before });
      await page.goto(new URL(path, own).href);
      await page
        .locator(path === '/' ? '.opblock' : 'h1')
        .first()
        .waitFor();
      return { page, complaints };
    },
    async signIn(page) {
      const shown = page.locator('#signed-in');
      const before = (await shown.textContent()) ?? '';
      await page.locator('#sign-in-open').click();
      await page.locator('#sign-in-new-key').click();
      await eventually('somebody new is signed in', async () =>
        /^Signed in as /.test(((await shown.textContent()) ?? '').replace(before, '')),
      );
      await page.locator('#sign-in-close').click();
    },
  };
}
