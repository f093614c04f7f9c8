// A thousand rows: pages of a few, by cursor, with no call for each row, also where all of them are asked for one after the other.
import { randomUUID } from 'node:crypto';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { isComplaint, picture } from '../support/console-stage.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { SCRIPT_METADATA } from '../support/recorded-events.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkippedChromium(4);

const MANY = 1_000;

type Row = Readonly<Record<string, unknown>>;

describe.skipIf(chromiumProgram === undefined)('of a thousand rows', () => {
  let service: TestService;
  let journey: DistributionJourney;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([openTestService(DISTRIBUTION_ENVIRONMENT), openBrowser()]);
  });

  afterAll(() => browser?.close());

  /** With the paths that the page has asked for, but for its own files. */
  async function open(path: string) {
    const opened = await openPage(browser, `${service.url}/console/`, {}, isComplaint);
    const asked: string[] = [];
    opened.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/console/')) asked.push(pathname);
    });
    return {
      ...opened,
      asked,
      async go() {
        await opened.page.goto(`${service.url}/console/${path}`);
        if (!path.startsWith('operate')) return;
        await opened.page.locator('#field-operator-key').fill(OPERATOR_KEY);
        await opened.page.locator('form.card button[type=submit]').click();
      },
    };
  }

  /** The service's first row a thousand times, as the API would page it. */
  function paged(row: Row, key: string, keyOf: (index: number) => unknown, { searchParams }: URL) {
    const keys = Array.from({ length: MANY }, (_, index) => keyOf(index));
    const after = searchParams.get('after');
    const first = after === null ? 0 : keys.findIndex((each) => String(each) === after) + 1;
    const shown = keys.slice(first, first + Number(searchParams.get('limit') ?? 20));
    const isOver = first + shown.length >= MANY;
    return {
      rows: shown.map((each) => ({ ...row, [key]: each })),
      next: isOver ? null : shown.at(-1),
    };
  }

  /** The service's own answer, changed. Its own rows are neither filtered nor paged. */
  async function answer(route: Route, change: (answer: Record<string, unknown>, url: URL) => Row) {
    const url = new URL(route.request().url());
    const own = new URL(url);
    for (const name of ['after', 'state']) own.searchParams.delete(name);
    const response = await route.fetch({ url: own.href });
    await route.fulfill({ response, json: change(await response.json(), url) });
  }

  const rows = (page: Page, within = 'main') => page.locator(`${within} table.lines tbody tr`);
  const turn = (page: Page, name: string | RegExp = 'Next page') =>
    page.locator('main button', { hasText: name }).click();
  const idOf = (index: number) => `00000000-0000-4000-8000-${String(MANY - index).padStart(12, '0')}`;

  async function check(page: Page, name: string): Promise<void> {
    await picture(page, `many-${name}-1280-light`);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await isTooWide(page)).toBe(false);
    await page.setViewportSize({ width: 1_280, height: 900 });
  }

  test('events of the log, each look shows fifty more, and the last is opened from among a thousand', async () => {
    const stream = `session-${randomUUID()}`;
    const events = Array.from({ length: MANY }, () => ({
      id: randomUUID(),
      type: 'SessionRevoked',
      data: { expiresAt: '2026-05-04T10:00:00.000Z' },
      metadata: SCRIPT_METADATA,
    }));
    await service.append(stream, 'none', events);
    const { page, asked, complaints, go } = await open(`operate/log?stream=${stream}`);
    await go();
    for (let shown = 50; shown < MANY; shown += 50) {
      await page.locator('#found', { hasText: `${shown} event` }).waitFor();
      await turn(page, /Show more|Continue search/);
    }
    await page.locator('#found', { hasText: '1,000 events' }).waitFor();
    expect(await page.locator('table .event').count()).toBe(MANY);
    expect(asked.filter((path) => path.endsWith('/operator/events'))).toHaveLength(MANY / 50);
    await page.locator('table .event').last().click();
    await page.locator('.opened h2', { hasText: 'SessionRevoked' }).waitFor();
    expect(new Set(asked).size).toBeLessThan(10);
    expect(complaints).toEqual([]);
    await page.close();
  });

  describe('of a token that has paid', () => {
    beforeAll(async () => {
      journey = await openDistributionJourney(service, { holders: 3 });
      await journey.askForRun();
      await journey.closedRun(1);
    });

    test('distributions of which each is halted, the board shows ten, on demand the first hundred, and twenty a page', async () => {
      const { page, asked, complaints, go } = await open('operate');
      const halted = {
        since: '2026-05-04T10:00:00.000Z',
        code: 'OPERATOR',
        reason: 'All of them.',
        by: 'alice',
      };
      await page.route('**/operator/distributions?*', (route) =>
        answer(route, ({ distributions, ...rest }, url) => {
          const [first = {}] = distributions as Row[];
          const row = { ...first, state: 'halted', halted, openRun: null };
          if (url.searchParams.get('state') === 'stuck') return { ...rest, distributions: [], next: null };
          const { rows: shown, next } = paged(row, 'tokenId', idOf, url);
          return { ...rest, distributions: shown, next };
        }),
      );
      await go();
      // One cause.
      await page.locator('h1', { hasText: '1 item needs attention' }).waitFor();
      await page.locator('.trouble h2', { hasText: '100 tokens are halted' }).waitFor();
      expect(await page.locator('.trouble .of-token').count()).toBe(10);
      await page.locator('button', { hasText: 'Show all 100 tokens' }).click();
      await expect.poll(() => page.locator('.trouble .of-token').count()).toBe(100);
      await page.locator('p', { hasText: 'Only the first 100 halted distributions' }).waitFor();
      expect(await rows(page).count()).toBe(20);
      await check(page, 'distributions');
      const before = asked.length;
      await turn(page);
      await page.locator('main button', { hasText: 'First page' }).waitFor();
      await page.locator('.trouble button', { hasText: 'Resume …' }).last().click();
      await page.locator('form.act input').fill('It still takes what is typed.');
      expect(asked.length - before).toBeLessThan(30);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });
});
