/** The page of the API in Chromium, on a service of its own. */
import type { Page } from 'playwright-core';
import { type Look as AnyLook, type OpenedPage, openBrowser, openPage } from './browser.ts';
import { eventually } from './eventually.ts';
import { openTestService, type TestService } from './service.ts';

interface Look extends AnyLook {
  /** Below the service's address. */
  readonly path?: string;
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
  const browser = await openBrowser();
  return {
    service,
    close: () => browser.close(),
    async openPage(hostname, { path = '/docs/', ...look } = {}) {
      const own = `http://${hostname}:${new URL(service.url).port}`;
      const opened = await openPage(browser, `${own}${path}`, look, (message) =>
        /Content Security Policy|CORS/.test(message),
      );
      await opened.page
        .locator(path === '/docs/' ? '.opblock' : 'h1')
        .first()
        .waitFor();
      return opened;
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
