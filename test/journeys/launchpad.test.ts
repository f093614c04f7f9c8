// The example of a launchpad in a browser: each of its pages takes one call of Levy, and shows what the API says, exactly.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { afterTheFile } from '../support/after-the-file.ts';
import { type Look, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { isComplaint } from '../support/console-stage.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  fundHolders,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { eventually } from '../support/eventually.ts';
import { readExposition } from '../support/exposition.ts';
import { freePort } from '../support/free-port.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import type { Environment } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

tellOfSkippedChromium(7);

const LAUNCHPAD = fileURLToPath(new URL('../../examples/launchpad/server.ts', import.meta.url));
const HOSTILE = '<img src=x onerror=1>';
/** More than one page of the launchpad. */
const PLAIN_TOKENS = 13;
async function startLaunchpad(levyUrl: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=levy-source', LAUNCHPAD], {
    env: { PATH: process.env.PATH, LEVY_URL: levyUrl, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterTheFile(async () => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the launchpad ended before it listened');
}

describe.skipIf(chromiumProgram === undefined)('the launchpad', () => {
  let service: ServiceProcess;
  let journey: DistributionJourney;
  let environment: Environment;
  let launchpad: string;
  let browser: Browser;
  let holder: string;
  let hostileMint: string;

  beforeAll(async () => {
    const port = await freePort();
    // Pictures are loaded from the address that is written into tokens.
    environment = {
      ...DISTRIBUTION_ENVIRONMENT,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    service = await startServiceProcess(environment);
    journey = await openDistributionJourney(service, {
      holders: 6,
      token: { website: 'https://sunrise.example', minimumHoldingRequirement: '1000000' },
    });
    await fundHolders(service, journey.holders);
    await journey.askForRun();
    await journey.closedRun(1);
    holder = addressOfKey(journey.holders[0] ?? Keypair.generate());
    await eventually('the shares show the run', async () => (await sharesOf(holder)).length > 0);
    const { mintAddress } = await journey.creator.createToken({ name: HOSTILE, symbol: '"><b>' });
    hostileMint = mintAddress;
    for (let number = 1; number <= PLAIN_TOKENS; number++)
      await journey.creator.createToken({ name: `Plain ${number}`, symbol: `P${number}` });
    [browser, launchpad] = await Promise.all([openBrowser(), startLaunchpad(service.url)]);
  }, 240_000);

  afterAll(() => browser?.close());

  async function open(path: string, look: Look = {}) {
    const { page, complaints } = await openPage(browser, `${launchpad}/${path}`, look, isComplaint);
    await untilShown(page);
    // Pictures of tokens are Levy's; nothing else may come from elsewhere.
    return {
      page,
      complaintsNow: () => complaints.filter((one) => !one.startsWith(`asks ${service.url}/images/`)),
    };
  }

  const untilShown = (page: Page) =>
    page.locator('#state', { hasNotText: 'Loading' }).waitFor({ state: 'attached' });

  const sharesOf = async (wallet: string) =>
    (
      await journey
        .client()
        .ask<{ shares: { paidByAsset: { sol: string } }[] }>('GET', `/wallets/${wallet}/shares`)
    ).shares;

  /** Calls that Levy has answered, by route; pictures are files, and not counted. */
  async function callsOfLevy(): Promise<ReadonlyMap<string, number>> {
    const answer = await fetch(`${service.url}/metrics`, { headers: { 'x-operator-key': OPERATOR_KEY } });
    const counts = new Map<string, number>();
    for (const { name, labels, value } of readExposition(await answer.text()).samples) {
      const { method = '', route = '' } = labels;
      if (name !== 'levy_http_requests_total' || ['/metrics', '/images/:file'].includes(route)) continue;
      counts.set(`${method} ${route}`, value + (counts.get(`${method} ${route}`) ?? 0));
    }
    return counts;
  }

  async function callsDuring(act: () => Promise<unknown>): Promise<object> {
    const before = await callsOfLevy();
    await act();
    const after = [...(await callsOfLevy())];
    return Object.fromEntries(
      after
        .map(([route, count]) => [route, count - (before.get(route) ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  }

  test.each([
    ['a list', () => '', 'GET /tokens'],
    ['a search', () => '?search=sunr', 'GET /tokens'],
    ['a token', () => `?mint=${journey.mint}`, 'GET /tokens/:mintAddress'],
    ["a wallet's shares", () => `?wallet=${holder}`, 'GET /wallets/:wallet/shares'],
  ])('%s takes one call of Levy', async (_what, path, route) => {
    const calls = await callsDuring(async () => {
      const { page, complaintsNow } = await open(path());
      expect(await page.locator('#state').textContent()).toBe('');
      await page.locator('.card').first().waitFor();
      expect(complaintsNow()).toEqual([]);
      await page.close();
    });
    expect(calls).toEqual({ [route]: 1 });
  });

  test('shows what a wallet was paid, and what a token has paid, with every digit', async () => {
    const [share] = await sharesOf(holder);
    const lamports = BigInt(share?.paidByAsset.sol ?? 0);
    expect(lamports).toBeGreaterThan(0n);
    const { page } = await open(`?wallet=${holder}`);
    expect(await factsOf(page)).toMatchObject({ Paid: solText(lamports), Owed: '0 SOL' });
    await page.locator('.card a', { hasText: 'Sunrise' }).click();
    await page.locator('h1', { hasText: 'Sunrise' }).waitFor();
    const { paidTo } = await journey.closedRun(1);
    const toHolders = solText(BigInt(paidTo?.holders ?? 0));
    expect(await factsOf(page)).toMatchObject({
      'In all': toHolders,
      'Tax can change': 'never',
      'Least to hold': '1 SUN',
    });
    const cells = await page.locator('tbody td').allTextContents();
    expect(cells.slice(2)).toEqual([toHolders, String(paidTo?.holdersPaid)]);
    await page.close();
  });

  test('shows a stranger’s texts as texts', async () => {
    for (const path of [
      `?mint=${hostileMint}`,
      '?search=onerror',
      `?search=${encodeURIComponent(HOSTILE)}`,
    ]) {
      const { page } = await open(path);
      await page.locator('h1, h2', { hasText: HOSTILE }).first().waitFor();
      expect(await page.locator('img[onerror], b').count()).toBe(0);
      await page.close();
    }
  });

  test('runs and loads nothing but its own files and the pictures of Levy', async () => {
    for (const path of ['', 'page.js', 'page.css', 'api/tokens', 'nothing']) {
      const { headers } = await fetch(`${launchpad}/${path}`);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${service.url}; ` +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
    }
    const { page } = await open(`?mint=${journey.mint}`);
    await expect.poll(() => page.evaluate('document.querySelector("img").naturalWidth')).toBe(512);
    await page.close();
  });
});

async function factsOf(page: Page): Promise<object> {
  const terms = await page.locator('dt').allTextContents();
  const facts = await page.locator('dd').allTextContents();
  return Object.fromEntries(terms.map((term, index) => [term, facts[index]]));
}

function solText(lamports: bigint): string {
  const fraction = String(lamports % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${(lamports / 1_000_000_000n).toLocaleString('en')}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
