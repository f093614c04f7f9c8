import { describe, expect, test } from 'vitest';
import { faultsOf } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { connectTestWallet, makeToken, openConsoleForTheBlock, picture } from '../support/console-stage.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';

tellOfSkippedChromium(1);

describe.skipIf(chromiumProgram === undefined)('a newcomer', () => {
  const stage = openConsoleForTheBlock();
  const { open } = stage;

  /** The run of the first five minutes, sooner. What was sent is collected once it is final. */
  async function askForRun(mint: string): Promise<void> {
    const client = createClient(stage.service.url);
    await eventually('a run has paid', async () => {
      const { token } = await client.ask<{ token: { id: string } }>('GET', `/tokens/${mint}`);
      const { runs } = await client.ask<{ runs: { status: string; paidTo?: object }[] }>(
        'GET',
        `/distribution/${token.id}/runs`,
      );
      if (runs.some(({ status, paidTo }) => status === 'completed' && paidTo)) return true;
      const isUnderWay = runs.some(({ status }) => status !== 'completed');
      if (!isUnderWay)
        await client.call('POST', `/operator/distributions/${token.id}/run`, {
          operatorKey: OPERATOR_KEY,
          json: { reason: 'A test asks for it.' },
        });
      return false;
    });
  }

  test('makes a token with the test wallet, sees its tax paid, checks the proof, and breaks it', async () => {
    const { page, complaints } = await open('create');
    // Each page says what kind of chain this is.
    await page.locator('.top .net', { hasText: 'embedded chain' }).waitFor();
    await connectTestWallet(page);
    // Nobody waits a quarter of an hour to see a run.
    expect(await page.locator('#field-distributionInterval').inputValue()).toBe('5m');
    const mint = await makeToken(page);

    const tryOut = page.locator('section', { hasText: 'Test transfer' });
    await tryOut.locator('#field-test-amount').fill('many');
    await tryOut.locator('button', { hasText: 'Send test transfer' }).click();
    await tryOut.locator('.wrong #about-test-amount', { hasText: 'must be a number' }).waitFor();
    await tryOut.locator('#field-test-amount').fill('1,000,000');
    await tryOut.locator('#field-test-to').fill('<b>nobody</b>');
    await tryOut.locator('button', { hasText: 'Send test transfer' }).click();
    await tryOut.locator('.wrong #about-test-to', { hasText: 'Ed25519 public key' }).waitFor();
    await tryOut.locator('#field-test-to').fill('');
    await tryOut.locator('button', { hasText: 'Send test transfer' }).click();
    await tryOut.locator('[role=status]', { hasText: '1,000,000 DAWN sent' }).waitFor();
    expect(await tryOut.locator('div[role=status]').textContent()).toContain('50,000 DAWN of it is tax');
    await tryOut.locator('.proof li', { hasText: /The next run collects it within 0[45]:\d\d/ }).waitFor();
    await picture(page, 'newcomer-transfer-1280-light');
    expect(await faultsOf(page)).toEqual([]);

    await askForRun(mint);
    await page
      .locator('table.lines tbody tr .state.ok', { hasText: 'completed' })
      .waitFor({ timeout: 90_000 });
    await tryOut.locator('.proof li.holds', { hasText: /Run #\d has paid it/ }).waitFor();
    await picture(page, 'newcomer-paid-1280-light');
    await tryOut.locator('a', { hasText: 'Look up your share' }).click();
    await page.locator('.share button', { hasText: 'Look up my wallet' }).click();
    const payment = page.locator('.payment').first();
    await payment.locator('button', { hasText: 'Check the proof' }).click();
    await payment.locator('.verdict', { hasText: 'The proof holds.' }).waitFor();
    await payment.locator('button', { hasText: 'Tamper with it and check again' }).click();
    await payment.locator('.verdict.fails').waitFor();
    expect(complaints).toEqual([]);

    // The key is in the tab alone: it stays when the page is loaded again, and is in no other tab.
    const wallet = new URL(page.url()).searchParams.get('wallet') ?? '';
    await page.reload();
    await connectTestWallet(page);
    const shown = page.locator('.top button .mono');
    expect(await shown.textContent()).toBe(`${wallet.slice(0, 4)}…${wallet.slice(-4)}`);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    const other = await open('');
    await connectTestWallet(other.page);
    expect(await other.page.locator('.top button .mono').textContent()).not.toBe(await shown.textContent());
    await other.page.close();
    await page.close();
  });
});
