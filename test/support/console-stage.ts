/** The console in Chromium, before a service with a token that has paid its holders, and before one without anything. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { faultsOf, isTooWide, type Look, type OpenedPage, openBrowser, openPage } from './browser.ts';
import { picture as creatorsPicture } from './creator.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  openDistributionJourney,
} from './distribution-journey.ts';
import { freePort } from './free-port.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

export interface ConsoleStage {
  readonly service: ServiceProcess;
  readonly journey: DistributionJourney;
  /** `path` is below `/console/`. */
  open(path: string, look?: Look & { readonly of?: { readonly url: string } }): Promise<OpenedPage>;
  /** The same folder and port after a kill. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const RUNS = 3;

export async function openConsoleStage(): Promise<ConsoleStage> {
  const environment = { ...DISTRIBUTION_ENVIRONMENT, PORT: String(await freePort()) };
  const service = await startServiceProcess(environment);
  const journey = await openDistributionJourney(service, {
    holders: 12,
    token: { description: DESCRIPTION, website: 'https://sunrise.example', distributionInterval: '15m' },
  });
  for (let number = 1; number <= RUNS; number++) {
    for (const [index, holder] of journey.holders.entries())
      if (index % 3 === number % 3)
        await journey.trade(holder, journey.developer, 200_000_000_000n * BigInt(number + index));
    await journey.askForRun();
    await journey.closedRun(number);
  }
  const browser: Browser = await openBrowser();
  return {
    service,
    journey,
    open: (path, { of = service, ...look } = {}) =>
      openPage(browser, `${of.url}/console/${path}`, look, isComplaint),
    async restart() {
      const { folder } = service;
      await startServiceProcess(environment, { folder });
    },
    close: () => browser.close(),
  };
}

/** For the tests of one block: a service in a process of its own, whose console a browser opens. */
export function openConsoleForTheBlock() {
  let service: ServiceProcess;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startServiceProcess(DISTRIBUTION_ENVIRONMENT), openBrowser()]);
  });
  afterAll(() => browser?.close());
  return {
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    /** `path` is below `/console/`. */
    open: (path: string, look: Look = {}) =>
      openPage(browser, `${service.url}/console/${path}`, look, isComplaint),
  };
}

const DESCRIPTION =
  'Shares its tax with those who hold it: a tenth is burned, and what the rest is sold for goes to the holders.';

/** An answer that is not a success is written by Chromium itself: what the page makes of it is the tests' business. */
export function isComplaint(message: string): boolean {
  return !/^Failed to load resource: /.test(message);
}

/** Kept by `npm run console:pictures`, which names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES;
  if (folder === undefined) return;
  await page.evaluate('scrollTo(0, 0)');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** On a wide screen and on a narrow one, the page is as wide as the screen and has no fault that axe finds. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, colorScheme] of [[1_280, 'light'] as const, [390, 'dark'] as const]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${width}-${colorScheme}`);
    expect(await faultsOf(page), `${name} ${width}`).toEqual([]);
    expect(await isTooWide(page), `${name} ${width}`).toBe(false);
  }
  if (before !== null) await page.setViewportSize(before);
}

export async function connectTestWallet(page: Page): Promise<void> {
  await page.locator('.top button', { hasText: 'Connect a wallet' }).click();
  await page.locator('dialog[open] button', { hasText: 'Test wallet' }).click();
  await page.locator('.top button', { hasText: 'Test wallet' }).waitFor();
}

export async function prepareToken(page: Page, name = 'Dawn'): Promise<void> {
  await page.locator('#field-name').fill(name);
  await page.locator('#field-symbol').fill('DAWN');
  await page.locator('#field-image').setInputFiles({
    name: 'dawn.png',
    mimeType: 'image/png',
    buffer: Buffer.from(creatorsPicture()),
  });
  await page.locator('button[type=submit]').click();
  await page.locator('button', { hasText: 'Sign and create' }).waitFor();
}

export async function makeToken(page: Page, name = 'Dawn'): Promise<string> {
  await prepareToken(page, name);
  await page.locator('button', { hasText: 'Sign and create' }).click();
  await page.locator('a', { hasText: 'View token' }).click();
  await page.locator('h1', { hasText: name }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
