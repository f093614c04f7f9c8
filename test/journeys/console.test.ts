// A reader of the console finds a token, looks up a share, checks its proof, and sees a changed one refused.
import { readFile } from 'node:fs/promises';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTooWide } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import {
  type ConsoleStage,
  connectTestWallet,
  lookAt,
  openConsoleStage,
  picture,
  prepareToken,
} from '../support/console-stage.ts';
import { picture as creatorsPicture, fund, openCreator } from '../support/creator.ts';
import { addressOfKey } from '../support/distribution-journey.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService } from '../support/service.ts';
import { standardWallet } from '../support/standard-wallet.ts';

tellOfSkippedChromium(26);

describe.skipIf(chromiumProgram === undefined)('the console', () => {
  let stage: ConsoleStage;
  let empty: { readonly url: string };
  let holder: string;
  let runId: string;

  beforeAll(async () => {
    [stage, empty] = await Promise.all([openConsoleStage(), openTestService({ NONCE_ACCOUNTS_MIN: '0' })]);
    const [first] = stage.journey.holders;
    if (first === undefined) throw new Error('the token has holders');
    holder = addressOfKey(first);
    ({ runId } = await stage.journey.closedRun(3));
  });

  afterAll(() => stage?.close());

  async function openOperator(page: Page): Promise<void> {
    await page.locator('#field-operator-key').fill(OPERATOR_KEY);
    await page.locator('form.card button[type=submit]').click();
  }

  const tokenPath = (): string => `tokens/${stage.journey.mint}`;

  test('is where a browser gets to from the root, and leads from the list to the token', async () => {
    const { page, complaints } = await stage.open('../');
    expect(new URL(page.url()).pathname).toBe('/console/');
    await page.locator('.token-card h3 a', { hasText: 'Sunrise' }).click();
    await page.locator('h1', { hasText: 'Sunrise' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${tokenPath()}`);
    // Readers who use the keyboard begin at what is new.
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.goBack();
    await page.locator('h1', { hasText: 'Tokens that share' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('loads at most 90 kB of compressed JavaScript for the first page, and nothing that stands in it', async () => {
    const { page } = await stage.open('');
    await page.locator('.token-card').waitFor();
    const html = await (await fetch(page.url())).text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script[^>]*>[^<]|javascript:/i);
    const scripts: string[] = await page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))',
    );
    expect(scripts.length).toBeGreaterThan(0);
    let bytes = 0;
    for (const script of scripts) {
      const { headers } = await fetch(script, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      expect(headers.get('content-encoding')).toBe('gzip');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      bytes += Number(headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(90_000);
    await page.close();
  });

  test('may load and call nothing but the service itself', async () => {
    for (const path of ['', 'tokens/x', 'nothing', 'assets/nothing.js']) {
      const { status, headers } = await fetch(`${stage.service.url}/console/${path}`);
      expect(status).toBe(path === '' || path === 'tokens/x' ? 200 : 404);
      expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data: blob:",
        "script-src 'self'",
        "style-src 'self'",
      ]);
    }
  });

  test('tells other sites the name, the picture and the tax of a token whose page is linked, and of no hidden one', async () => {
    const tagsOf = async (path: string) => {
      const html = await (await fetch(`${stage.service.url}/console/${path}`)).text();
      return Object.fromEntries(
        [...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(([, name, text]) => [
          name,
          text,
        ]),
      );
    };
    const { token } = await stage.journey
      .client()
      .ask<{ token: { imageUri: string } }>('GET', `/tokens/${stage.journey.mint}`);
    expect(await tagsOf(tokenPath())).toEqual({
      type: 'website',
      title: 'Sunrise (SUN)',
      description: expect.stringContaining('3.5 % tax on each transfer'),
      image: token.imageUri,
    });
    expect(await tagsOf('tokens/67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj')).toEqual({});
    const operate = (what: string, json: object) =>
      stage.journey
        .client()
        .ask('POST', `/operator/tokens/${stage.journey.mint}/${what}`, { operatorKey: OPERATOR_KEY, json });
    await operate('hide', { reason: 'A copy.' });
    await expect.poll(() => tagsOf(tokenPath())).toEqual({});
    await operate('show', {});
    await expect.poll(() => tagsOf(tokenPath())).not.toEqual({});
  });

  test('reloads once where the code of a page is gone, as after an upgrade, then says so', async () => {
    const { page, complaints } = await stage.open('');
    await page.locator('h1').waitFor();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/assets/verify-*.js', (route) => route.abort());
    await page.locator('.top nav a', { hasText: 'Verify' }).click();
    const fault = page.locator('.failed', { hasText: 'was upgraded while this tab was open' });
    await fault.waitFor();
    expect([loads, new URL(page.url()).pathname]).toEqual([1, '/console/verify']);
    await page.locator('.top nav a', { hasText: 'Explore' }).click();
    await page.locator('h1', { hasText: 'Tokens' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.goBack();
    await fault.locator('button', { hasText: 'Try again' }).click();
    await page.locator('h1', { hasText: 'Verify' }).waitFor();
    expect(loads).toBe(2);

    // While the service is away, nothing that is shown is lost to a reload.
    await page.route('**/*', (route) => route.abort());
    await page.locator('.top nav a', { hasText: 'Create' }).click();
    await fault.waitFor();
    expect(loads).toBe(2);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('shows what the API says of a token, exactly', async () => {
    const { page } = await stage.open(tokenPath());
    await page.locator('.two table.lines tbody tr').nth(2).waitFor();
    const rows = await page.locator('.two table.lines tbody tr').allTextContents();
    expect(rows).toHaveLength(3);
    const run = await stage.journey.closedRun(3);
    const { paidTo } = (
      await stage.journey
        .client()
        .ask<{ runs: { paidTo: { holders: string } }[] }>(
          'GET',
          `/distribution/${stage.journey.tokenId}/runs`,
        )
    ).runs[0] ?? { paidTo: { holders: '' } };
    expect(rows[0]).toContain(`#${run.number}`);
    const lamports = paidTo.holders.padStart(10, '0');
    const fraction = lamports.slice(-9).replace(/0+$/, '');
    const digits = rows[0]?.replaceAll(/[\u202f,]/g, '');
    expect(digits).toContain(`${BigInt(lamports.slice(0, -9))}.${fraction}`);
    expect(await page.locator('.split').first().getAttribute('aria-label')).toBe(
      '10\u202f% burned, 5\u202f% developer, 85\u202f% holders',
    );
    expect(await page.locator('.chart').getAttribute('aria-label')).toMatch(/^3 runs, between /);
    await page.locator('.chart canvas').waitFor();

    const client = stage.journey.client();
    const holdersBy = async (order: string) => {
      const path = `/distribution/${stage.journey.tokenId}/holders?sort=${order}&limit=10`;
      return (await client.ask<{ topHolders: { wallet: string }[] }>('GET', path)).topHolders.map(
        ({ wallet }) => wallet,
      );
    };
    const shown = () =>
      page.locator('[aria-labelledby=holders] .copy').evaluateAll((all) => all.map(({ title }) => title));
    await expect.poll(shown).toEqual(await holdersBy('balance'));
    await page.locator('[aria-labelledby=holders] select').selectOption('paid');
    await expect.poll(shown).toEqual(await holdersBy('paid'));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('button', { hasText: 'Download all as CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect([file.suggestedFilename(), csv.split('\r\n')[0]]).toEqual([
      'holders-SUN.csv',
      expect.stringMatching(/^index,kind,asset,wallet,balance,/),
    ]);
    await page.close();
  });

  test('shows a run step by step, without a click: when, how long, what is so after it, and by which transactions', async () => {
    const { page, complaints } = await stage.open(tokenPath());
    await page.locator('.two table.lines tbody tr a', { hasText: '#3' }).click();
    await page.locator('h1', { hasText: 'Run #3 of Sunrise' }).waitFor();
    const steps = page.locator('.timeline > li');
    await page.locator('[aria-label="Transactions of payments"] li').first().waitFor();
    expect(await steps.locator('h3').allTextContents()).toEqual([
      'Scan',
      'Collect',
      'Split',
      'Allot',
      'Open',
      'Pay',
      'Close',
    ]);
    const { run } = await stage.journey.client().ask<{
      run: { steps: { step: string; batchCount: number }[]; transactions: Record<string, string[]> };
    }>('GET', `/distribution/${stage.journey.tokenId}/runs/${runId}`);
    const { batches } = await stage.journey
      .client()
      .ask<{ batches: { signature: string }[] }>(
        'GET',
        `/distribution/${stage.journey.tokenId}/runs/${runId}/batches`,
      );
    expect(batches).toHaveLength(run.steps.find(({ step }) => step === 'pay')?.batchCount ?? 0);
    const shown = await page
      .locator('.signatures button')
      .evaluateAll((all) => all.map(({ title }) => title));
    const landed = [...Object.values(run.transactions).flat(), ...batches.map(({ signature }) => signature)];
    expect([...shown].sort()).toEqual(landed.sort());
    for (const text of await steps.locator('.when').allTextContents()) expect(text).toMatch(/\d.*(s|min)/);
    expect(await steps.filter({ hasText: 'Scan' }).locator('dl').textContent()).toContain('Owners');
    // Whoever runs the service gets from here to what the log has.
    await page.locator('.operators a', { hasText: 'the run' }).click();
    await openOperator(page);
    await page.locator('table .event', { hasText: 'HoldersScanned' }).waitFor();
    expect(await page.locator('#field-stream').inputValue()).toBe(`run-${runId}`);
    await page.goBack();
    await page.locator('h1 a', { hasText: 'Sunrise' }).click();
    await page.locator('.operators a', { hasText: 'the token' }).click();
    // The tab still has the key.
    await page.locator('table .event', { hasText: 'TokenCreated' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('shows what a wallet has earned in all tokens, as the API says, and checks the proof of each payment', async () => {
    const { page, complaints } = await stage.open(`${tokenPath()}?wallet=${holder}`);
    await page.locator('a', { hasText: 'All tokens of this wallet' }).click();
    const card = page.locator('.wallet-share');
    await card.waitFor();
    const { shares } = await stage.journey
      .client()
      .ask<{ shares: { paidByAsset: { sol: string } }[] }>('GET', `/wallets/${holder}/shares`);
    const lamports = (shares[0]?.paidByAsset.sol ?? '').padStart(10, '0');
    const paid = `${BigInt(lamports.slice(0, -9))}.${lamports.slice(-9).replace(/0+$/, '')}`;
    const texts = await page.locator('.figures dd, .wallet-share .sums dd').allTextContents();
    const [all, , count, ofToken] = texts.map((text) => text.replaceAll(/[\u202f,]/g, ''));
    expect(all).toContain(`${paid} in all tokens`);
    expect([count?.[0], ofToken]).toEqual(['1', `${paid} SOL`]);
    await card.locator('summary', { hasText: 'Payments and proofs' }).click();
    await card.locator('button', { hasText: 'Check the proof' }).nth(2).click();
    await card.locator('button', { hasText: 'Download proof' }).waitFor();
    await card.locator('h2 a', { hasText: 'Sunrise' }).click();
    await page.locator('.share .sums').waitFor();
    expect(new URL(page.url()).search).toBe(`?wallet=${holder}`);
    await page.locator('.top nav a', { hasText: 'Wallets' }).click();
    await page.locator('.share input').fill('67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj');
    await page.locator('.empty', { hasText: 'earned nothing yet' }).waitFor();
    expect(complaints).toEqual([]);
    await page.locator('.share input').fill('O0Il'.repeat(9));
    await page.locator('.fault', { hasText: /address/i }).waitFor();
    await page.close();
  });

  test('finds tokens by the start of a name, keeps the search in the address, and says that nothing was found', async () => {
    const { page } = await stage.open('');
    await page.locator('.search input').fill('sunr');
    await expect.poll(() => new URL(page.url()).search).toBe('?search=sunr');
    await page.locator('h2', { hasText: '1 token' }).waitFor();
    await page.reload();
    expect(await page.locator('.search input').inputValue()).toBe('sunr');
    await page.locator('.search input').fill('xyzzy');
    await page.locator('.empty', { hasText: 'No name, symbol or mint address matches' }).waitFor();
    await page.close();
  });

  test('lets a creator with a wallet of the browser make a token, which refuses once', async () => {
    const keypair = Keypair.generate();
    const wallet = keypair.publicKey.toBase58();
    await fund(stage.service.chainUrl, wallet, LAMPORTS_PER_SOL);
    const { page, complaints } = await stage.open('create', {
      width: 390,
      before: `window.refusesToSign = true; ${standardWallet(keypair)}`,
    });
    await page.locator('main button', { hasText: 'Connect a wallet' }).click();
    await page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
    await page.locator('#field-name').waitFor();
    await page.locator('button[type=submit]').click();
    await page.locator('#about-name', { hasText: 'A token needs a name.' }).waitFor();
    await page.locator('#about-image', { hasText: 'Choose a picture.' }).waitFor();

    await page.locator('#field-name').fill('Meadow');
    await page.locator('#field-symbol').fill('MDW');
    await page.locator('#field-description').fill('Made in the console.');
    await page.locator('#field-transferFeePercent').fill('99');
    await page.locator('#field-image').setInputFiles({
      name: 'meadow.png',
      mimeType: 'image/png',
      buffer: Buffer.from(creatorsPicture()),
    });
    await page.locator('button[type=submit]').click();
    // What the API says stands at the field that it names.
    await page.locator('.wrong #about-transferFeePercent').waitFor();
    await lookAt(page, 'create-refused');
    await page.locator('#field-transferFeePercent').fill('5');
    await page.locator('button[type=submit]').click();

    await page.locator('h2', { hasText: /valid for 0[45]:/ }).waitFor();
    expect(await page.locator('.told').textContent()).not.toContain('does not know');
    await lookAt(page, 'create-review');
    await page.locator('button', { hasText: 'Sign and create' }).click();
    await page
      .locator('.fault', { hasText: 'The user said no. Nothing was sent; you can still sign.' })
      .waitFor();
    await page.evaluate('window.refusesToSign = false');
    await page.locator('button', { hasText: 'Sign and create' }).click();
    await page.locator('h2', { hasText: 'Meadow is on the chain' }).waitFor();
    await page.locator('a', { hasText: 'View token' }).click();
    await page.locator('h1', { hasText: 'Meadow' }).waitFor();
    // The connected wallet's share is one click away, once nothing above it moves any more.
    await expect.poll(() => page.locator('main .waiting').count(), { timeout: 30_000 }).toBe(0);
    await page.locator('.share button', { hasText: 'Look up my wallet' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('wallet') === wallet);
    expect(complaints).toEqual([]);
    await page.close();
  });

  describe('while a token is made', () => {
    /** Up to what is to be signed. */
    async function openReview(look = {}) {
      const keypair = Keypair.generate();
      await fund(stage.service.chainUrl, keypair.publicKey.toBase58(), LAMPORTS_PER_SOL);
      const opened = await stage.open('create', { before: standardWallet(keypair), ...look });
      await opened.page.locator('main button', { hasText: 'Connect a wallet' }).click();
      await opened.page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
      await prepareToken(opened.page, 'Late');
      const review = opened.page.locator('.review');
      await review.locator('img.pic').waitFor();
      await review.locator('dd', { hasText: '1,000,000,000' }).waitFor();
      // The parts of the bar fill it.
      const filled =
        "[...document.querySelectorAll('.review .split i')].reduce((sum, { clientWidth }) => sum + clientWidth, 0)";
      const width = await review.locator('dd .split').evaluate(({ clientWidth }) => clientWidth);
      expect(width - (await opened.page.evaluate<number>(filled))).toBeLessThan(6);
      return { ...opened, wallet: keypair.publicKey.toBase58() };
    }
    const sign = (page: Page) => page.locator('button', { hasText: 'Sign and create' });
    /** Asks the wallet, whose user does not answer. */
    const hesitate = async (page: Page) => {
      await page.evaluate('hesitates = true');
      await sign(page).click();
      await page.locator('button', { hasText: 'Waiting for the wallet' }).waitFor();
    };
    const gone = (page: Page) =>
      page.locator('[role=alert]', { hasText: 'Nothing was sent and nothing was paid.' });
    const reconnect = async (page: Page) => {
      await page.locator('.top button', { hasText: 'Connect a wallet' }).click();
      await page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
    };

    test('a wallet that disconnects can come back and sign', async () => {
      const { page, wallet, complaints } = await openReview();
      const submitted: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/tokens/submit')) submitted.push(request.url());
      });
      // It goes while it is asked, and signs after all, before the page has drawn anything: that is not sent.
      await hesitate(page);
      await page.evaluate('showAccounts([]); answerLate()');
      await gone(page).locator('> .fault', { hasText: 'Sunny has disconnected.' }).waitFor();
      expect(await sign(page).isDisabled()).toBe(true);
      await lookAt(page, 'create-disconnected');
      await page.evaluate(`hesitates = false; showAccounts(['${wallet}'])`);
      await reconnect(page);
      await gone(page).waitFor({ state: 'detached' });
      expect(submitted).toEqual([]);
      await sign(page).click();
      await page.locator('h2', { hasText: 'Late is on the chain' }).waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('who changes something takes the draft back, and may do so as often as they like', async () => {
      const { page } = await openReview();
      // Three drafts at a time are allowed.
      for (let times = 1; times <= 4; times++) {
        await page.locator('button', { hasText: 'Edit' }).click();
        await page.locator('button[type=submit]').click();
        await sign(page).waitFor();
      }
      await page.locator('nav a', { hasText: 'My tokens' }).click();
      await page.locator('td', { hasText: 'unsigned' }).waitFor();
      await page.locator('button', { hasText: 'Cancel the draft' }).click();
      await page.locator('h2', { hasText: 'In progress' }).waitFor({ state: 'detached' });
      await page.locator('main', { hasText: 'This wallet has no tokens yet' }).waitFor();
      await page.close();
    });

    test('what is typed is checked while it is typed, and survives links, Back and a reload', async () => {
      const { page, complaints } = await stage.open('create');
      await connectTestWallet(page);
      const name = page.locator('#field-name');
      await page.locator('#field-symbol').fill('SUNRISE☀☀');
      await page.locator('.wrong #about-symbol', { hasText: 'at most 10 bytes' }).waitFor();
      expect(await page.locator('.wrong').count()).toBe(1);
      await page.locator('#field-burnPercent').fill('60');
      await page.locator('#field-developerFeePercent').fill('41');
      await page.locator('.wrong #about-developerFeePercent').waitFor();
      await page.locator('#field-transferFeePercent').fill('0');
      await page.locator('#about-transferFeePercent', { hasText: 'nobody is paid' }).waitFor();
      await name.fill('Dusk');
      await page.locator('.top nav a', { hasText: 'Explore' }).click();
      await page.locator('h1', { hasText: 'Tokens' }).waitFor();
      await page.goBack();
      expect(await name.inputValue()).toBe('Dusk');
      await page.reload();
      await connectTestWallet(page);
      expect(await name.inputValue()).toBe('Dusk');
      expect(await page.locator('#field-developerFeePercent').inputValue()).toBe('41');
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('who leaves before signing goes on with the same draft on the page Mine', async () => {
      const { page, complaints } = await openReview();
      await page.locator('.review h2 .sub', { hasText: /for 0[0-4]:/ }).waitFor();
      const over = await page.locator('.review h2 .sub').textContent();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await hesitate(page);
      await page.locator('nav a', { hasText: 'My tokens' }).click();
      await page.locator('h1', { hasText: 'My tokens' }).waitFor();
      await page.evaluate('answerLate()');
      await page.evaluate('hesitates = false');
      const resume = page.locator('button', { hasText: 'Sign …' });
      await resume.waitFor();
      await lookAt(page, 'mine-draft');
      await resume.click();
      await page.locator('.told', { hasText: 'the name “Late”, the symbol “DAWN”' }).waitFor();
      const left = await page.locator('.review h2 .sub').textContent();
      expect(left).toMatch(/^valid for 0[0-4]:\d\d$/);
      expect(left?.localeCompare(over ?? '')).toBeLessThanOrEqual(0);
      await lookAt(page, 'mine-review');
      await sign(page).click();
      await page.locator('h2', { hasText: 'Late is on the chain' }).waitFor();
      await page.locator('td[data-name=Token]', { hasText: 'Late' }).waitFor();
      await page.locator('h2', { hasText: 'In progress' }).waitFor({ state: 'detached' });
      await picture(page, 'mine-signed');
      expect(asked.filter((path) => /create-unsigned|refresh|cancel/.test(path))).toEqual([]);
      expect(asked.filter((path) => path === '/tokens/submit')).toHaveLength(1);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });

  test('shows strangers’ texts as texts, and links to nothing but https', async () => {
    const creator = await openCreator(stage.service);
    const { mintAddress } = await creator.createToken({
      name: '<img src=x onerror=1>',
      symbol: '"><b>',
      description: `</p><script>document.title = 'taken'</script>${'w'.repeat(900)}`,
      website: 'https://evil.example/%22onmouseover=alert(1)',
      telegram: 'https://t.example/a?b=<c>',
    });
    const { page, complaints } = await stage.open(`tokens/${mintAddress}`, { width: 390 });
    await page.locator('h1', { hasText: '<img src=x onerror=1>' }).waitFor();
    expect(await page.title()).toBe('<img src=x onerror=1> - Levy');
    const links = page.locator('.meta a[target=_blank]');
    expect(
      await links.evaluateAll((all) =>
        all.map((each) => [each.getAttribute('rel'), each.getAttribute('href')?.slice(0, 8)]),
      ),
    ).toEqual([
      ['noopener noreferrer nofollow', 'https://'],
      ['noopener noreferrer nofollow', 'https://'],
    ]);
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    ['explore', (): string => '', false],
    ['explore-empty', (): string => '', true],
    ['token', (): string => `${tokenPath()}?wallet=${holder}`, false],
    ['token-missing', (): string => 'tokens/67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj', true],
    ['run', (): string => `${tokenPath()}/runs/${runId}`, false],
    ['run-missing', (): string => `${tokenPath()}/runs/2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a77`, true],
    ['wallet', (): string => `wallets/${holder}`, false],
    ['verify', (): string => 'verify', true],
    ['create', (): string => 'create', true],
    ['nothing', (): string => 'nothing', false],
  ] as const)('%s is as wide as the screen, and has no fault that axe finds', async (name, path, isEmpty) => {
    const of = isEmpty ? empty : stage.service;
    const { page, complaints } = await stage.open(path(), { of });
    await page.locator('h1').waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    if (name === 'token') await page.locator('.chart canvas').waitFor();
    await lookAt(page, name);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('says that the service is away, keeps what it showed, and goes on by itself once it is back', async () => {
    const { page } = await stage.open(tokenPath());
    await page.locator('.two table.lines tbody tr').nth(2).waitFor();
    await stage.service.stop('SIGKILL');
    await page.locator('.away').waitFor();
    await page.locator('h1', { hasText: 'Sunrise' }).waitFor();
    expect(await page.locator('.two table.lines tbody tr').count()).toBe(3);
    await picture(page, 'token-away-1280-light');
    await stage.restart();
    await page.locator('.away').waitFor({ state: 'detached' });
    await page.close();
  });
});
