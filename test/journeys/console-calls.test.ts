// Open pages of the console leave most of the calls of their address to others, however much happens meanwhile.
import { randomUUID } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATE_LIMIT_POLICIES } from '../../src/server/http/rate-limit/policies.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { openBrowser } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { SCRIPT_METADATA } from '../support/recorded-events.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { standardWallet } from '../support/standard-wallet.ts';

const CHANGING = ['explore', 'token', 'run', 'mine'] as const;
type Name = (typeof CHANGING)[number];
/** Seconds. */
const STEP = 4;
const { quota, windowSeconds } = RATE_LIMIT_POLICIES.general;

tellOfSkippedChromium(CHANGING.length + 1);

describe.skipIf(chromiumProgram === undefined)('the console, left open for 15 minutes', () => {
  let service: TestService;
  let journey: DistributionJourney;
  let browser: Browser;
  let runId: string;
  let revision: number;
  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };

  beforeAll(async () => {
    const folder = await folderForTheFile();
    const environment = {
      ...DISTRIBUTION_ENVIRONMENT,
      DISTRIBUTION_ANNOUNCE: '1h',
      TRUSTED_PROXIES: '127.0.0.0/8',
    };
    const before = await openTestService(environment, { folder });
    journey = await openDistributionJourney(before, { holders: 3 });
    await journey.askForRun();
    // It stays open.
    ({ runId } = await journey.announcedRun(1));
    await before.close();
    [service, browser] = await Promise.all([
      openTestService({ ...environment, RATE_LIMITS: 'on' }, { folder }),
      openBrowser(),
    ]);
    revision = 0;
    while (!(await somethingHappens())) revision += 1;
  });

  afterAll(() => browser?.close());

  /** Records an event that every page shows. Resolves with false if the revision was wrong. */
  async function somethingHappens(): Promise<boolean> {
    const { tokenId } = journey;
    const event = { tokenId, reason: null };
    const { outcome } = await service.append(`token-${tokenId}`, revision, [
      { id: randomUUID(), type: 'TokenShown', data: event, metadata: SCRIPT_METADATA },
    ]);
    if (outcome === 'appended') revision += 1;
    return outcome === 'appended';
  }

  const pathOf = (name: Name): string =>
    ({
      explore: '',
      token: `tokens/${journey.mint}?wallet=${journey.developer}`,
      run: `tokens/${journey.mint}/runs/${runId}`,
      mine: 'mine',
    })[name];

  const isFeed = (url: string) => new URL(url).pathname === '/events';

  /** A page whose clock is the test's, at an address of its own unless one is given. */
  async function openTab(name: Name, address = newAddress(), wallet = Keypair.generate()) {
    const page = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': address } });
    const asked: string[] = [];
    const left: number[] = [];
    const open = new Set<unknown>();
    page.on('request', (request) => {
      asked.push(request.url());
      if (!isFeed(request.url())) open.add(request);
    });
    page.on('requestfinished', (request) => open.delete(request));
    page.on('requestfailed', (request) => open.delete(request));
    page.on('response', (response) => {
      const of = response.headers().ratelimit ?? '';
      if (of.startsWith('"general"')) left.push(Number(/r=(\d+)/.exec(of)?.[1]));
    });
    await page.addInitScript({
      content: `${standardWallet(wallet)}
let isHidden = false;
Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
window.hide = (value) => { isHidden = value; };`,
    });
    await page.clock.install();
    await page.goto(`${service.url}/console/${pathOf(name)}`);
    if (name === 'mine') await connect(page);
    return {
      page,
      asked,
      /** How many calls its address, or its wallet, might still make after each. */
      left,
      /** Until everything is answered that was asked for meanwhile. */
      async pass(seconds: number) {
        await page.clock.runFor(seconds * 1_000);
        await expect.poll(() => open.size, { interval: 2 }).toBe(0);
      },
    };
  }

  async function connect(page: Page): Promise<void> {
    await page.locator('.top button', { hasText: 'Connect a wallet' }).click();
    await page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
    await page.locator('.top button', { hasText: 'Sunny' }).waitFor();
  }

  /** How many calls two tabs leave. */
  async function leftBy(name: Name, wallet: Keypair, meanwhile: () => Promise<unknown>): Promise<number> {
    const address = newAddress();
    const tabs = [await openTab(name, address, wallet), await openTab(name, address, wallet)];
    for (let passed = 0; passed < windowSeconds; passed += STEP) {
      await meanwhile();
      for (const { pass } of tabs) await pass(STEP);
    }
    for (const { page } of tabs) await page.close();
    return Math.min(...tabs.flatMap(({ left }) => left));
  }

  test.each(
    CHANGING,
  )('two tabs of the page %s leave half of the calls, also while it changes all the time', async (name) => {
    expect(await leftBy(name, journey.creator.keypair, somethingHappens)).toBeGreaterThan(quota / 2);
  });

  test('asks for what changes at once, for nothing while nobody looks, and then for what the ended stream has missed', async () => {
    const { page, pass, asked } = await openTab('explore');
    const lists = () => asked.filter((url) => url.includes('/tokens?')).length;
    /** Long before the page asks without the feed. */
    const asksSoon = async () => {
      let seconds = 0;
      const another = () => {
        seconds += 1;
        return pass(1).then(lists);
      };
      await expect.poll(another, { interval: 50 }).toBe(1);
      expect(seconds).toBeLessThan(40);
    };
    for (let passed = 0; passed < 20; passed += STEP) await pass(STEP);
    expect(asked.filter(isFeed)).toHaveLength(1);
    asked.length = 0;
    await somethingHappens();
    await asksSoon();

    const hide = async (isHidden: boolean) => {
      asked.length = 0;
      await page.evaluate(`hide(${isHidden})`);
    };
    const passHidden = async (seconds: number, meanwhile: () => Promise<unknown>) => {
      await hide(true);
      for (let passed = 0; passed < seconds; passed += STEP) {
        await meanwhile();
        await pass(STEP);
      }
      expect(asked).toEqual([]);
    };
    await passHidden(20, somethingHappens);
    await hide(false);
    await asksSoon();

    const ended = page.waitForEvent('requestfailed', (request) => isFeed(request.url()));
    await passHidden(80, async () => undefined);
    await ended;
    await somethingHappens();
    await hide(false);
    await asksSoon();
    expect(asked.filter(isFeed)).toHaveLength(1);
    await page.close();
  });
});
