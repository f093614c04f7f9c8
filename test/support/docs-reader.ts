/** The page of the API in Chromium, on a service of its own. */
import { type Look as AnyLook, type OpenedPage, openBrowser, openPage } from './browser.ts';
import { openTestService, type TestService } from './service.ts';

interface Look extends AnyLook {
  /** Below the service's address. */
  readonly path?: string;
}

export interface DocsReader {
  readonly service: TestService;
  openPage(hostname: string, look?: Look): Promise<OpenedPage>;
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
  };
}
