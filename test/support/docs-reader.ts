/** The page of the API in Chromium, on a service of its own. */
import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumProgram } from './chromium.ts';
import { eventually } from './eventually.ts';
import { openTestService, type TestService } from './service.ts';

export interface OpenedPage {
  readonly page: Page;
  /** What the browser complained of: scripts or calls that it kept back. */
  readonly complaints: readonly string[];
}

export interface DocsReader {
  readonly service: TestService;
  openPage(hostname: string): Promise<OpenedPage>;
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
    async openPage(hostname) {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy|CORS/.test(message.text())) complaints.push(message.text());
      });
      await page.goto(`http://${hostname}:${new URL(service.url).port}/`);
      await page.locator('.opblock').first().waitFor();
      return { page, complaints };
    },
    async signIn(page) {
      const shown = page.locator('#signed-in');
      const before = (await shown.textContent()) ?? '';
      await page.locator('#sign-in-new-key').click();
      await eventually('somebody new is signed in', async () => (await shown.textContent()) !== before);
      expect(await shown.textContent()).toMatch(/^Signed in as /);
    },
  };
}
