// A reader of /docs tries every operation out as it stands.
import type { Locator, Page, Response } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undescribed } from '../support/api-description.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { type DocsReader, openDocsReader } from '../support/docs-reader.ts';
import { OPERATOR_KEY } from '../support/operator.ts';

tellOfSkippedChromium(1);

/** Milliseconds: an answer takes none of them, but for submissions that wait. */
const PATIENCE = 60_000;

/** Milliseconds, for more than a hundred operations on a busy machine. */
const CLICKING = 600_000;

const OPTIONAL_HEADERS = ['X-After-Position', 'Idempotency-Key', 'X-Request-Id', 'If-Match', 'Last-Event-ID'];

interface Paths {
  readonly [path: string]: { readonly [method: string]: { readonly operationId: string } };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
}

interface Tried {
  readonly status: number;
  readonly fault?: string;
}

/** What the description does not say of the answer. */
async function faultOf(response: Response, method: string): Promise<string | undefined> {
  const status = response.status();
  // As the page sees them: `allHeaders` has those of a 304 where the browser asked whether its copy is still right.
  const headers = new Headers(response.headers());
  const isJson = /[/+]json/.test(headers.get('content-type') ?? '');
  const body: unknown = isJson ? await response.json() : undefined;
  return undescribed({ method, path: new URL(response.url()).pathname, status, headers, body });
}

describe.skipIf(chromiumProgram === undefined)('the page of the API', () => {
  let reader: DocsReader;
  let operations: readonly Operation[];
  let picture: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

  beforeAll(async () => {
    reader = await openDocsReader();
    const { paths } = (await (await fetch(`${reader.service.url}/openapi.json`)).json()) as { paths: Paths };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        method: method.toUpperCase(),
        path,
        operationId,
      })),
    );
    const pixels = sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } });
    picture = { name: 'picture.png', mimeType: 'image/png', buffer: await pixels.png().toBuffer() };
  });

  afterAll(() => reader?.close());

  /** As an operator does who reads the page. */
  async function giveOperatorKey(page: Page): Promise<void> {
    await page.locator('#sign-in-open').click();
    await page.locator('#operator-key').fill(OPERATOR_KEY);
    await page.locator('#sign-in-operator button').click();
    await page.locator('#signed-in', { hasText: "Operators' routes are called with this key." }).waitFor();
    await page.locator('#sign-in-close').click();
  }

  /** As a reader does who knows what it is called. The page draws all that it shows whenever anything changes. */
  async function find(page: Page, { method, path, operationId }: Operation): Promise<Locator> {
    await page.locator('#search').fill(operationId);
    const found = page
      .locator(`.opblock-${method.toLowerCase()}`)
      .filter({ has: page.locator(`[data-path="${path}"]`) });
    const closed = page.locator('.opblock-tag[data-is-open="false"]');
    while ((await closed.count()) > 0) await closed.first().dispatchEvent('click');
    await found.waitFor();
    return found;
  }

  /** Opens an operation, tries it out as it stands, and closes it again. */
  async function tryOut(page: Page, { method, path }: Operation, block: Locator): Promise<Tried> {
    const head = block.locator('.opblock-summary');
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    // Events instead of clicks: nothing is to be scrolled to, and nothing to be waited for that moves.
    await head.locator('.opblock-summary-control').dispatchEvent('click');
    await block.locator('.try-out__btn').dispatchEvent('click');
    await block.locator('.execute').waitFor();
    for (const header of OPTIONAL_HEADERS) {
      const given = block.locator(`tr[data-param-name="${header}"] input[type="text"]`);
      if ((await given.count()) > 0 && (await given.inputValue()) !== '')
        return { status: 0, fault: `${header} is filled in beforehand` };
    }
    const file = block.locator('input[type="file"]');
    if ((await file.count()) > 0) await file.setInputFiles(picture);
    const answering = page
      .waitForResponse(
        (response) =>
          response.request().method() === method && pattern.test(new URL(response.url()).pathname),
        { timeout: PATIENCE },
      )
      .catch(() => undefined);
    await block.locator('.execute').dispatchEvent('click');
    const response = await answering;
    if (response === undefined) return { status: 0, fault: 'the browser sent no call' };
    const status = response.status();
    const shown = block.locator('.live-responses-table .response-col_status', { hasText: String(status) });
    const isShown = await shown
      .first()
      .waitFor({ timeout: PATIENCE })
      .then(() => true)
      .catch(() => false);
    await head.locator('.opblock-summary-control').dispatchEvent('click');
    const fault = isShown ? await faultOf(response, method) : `the page does not show the answer ${status}`;
    return { status, ...(fault !== undefined && { fault }) };
  }

  test(
    'tries every operation out',
    async () => {
      const { page, complaints } = await reader.openPage('localhost');
      await reader.signIn(page);
      await giveOperatorKey(page);
      const tried = new Map<string, number>();
      const faults: string[] = [];
      for (const described of operations) {
        const operation = `${described.method} ${described.path}`;
        const { status, fault } = await tryOut(page, described, await find(page, described));
        tried.set(operation, status);
        if (fault !== undefined) faults.push(`${operation}: ${fault}`);
        if (operation === 'POST /auth/logout') await reader.signIn(page);
      }
      expect(faults).toEqual([]);
      // Signed in, and with an operator's key: nothing is kept back but what needs a partner's key or a signed challenge.
      const keptBack = [...tried].filter(([, status]) => status === 401 || status === 403 || status >= 500);
      expect(keptBack.map(([operation]) => operation).sort()).toEqual([
        'GET /partner/tokens',
        'GET /partner/usage',
        'POST /auth/verify',
      ]);
      expect(complaints).toEqual([]);
      await page.close();
    },
    CLICKING,
  );
});
