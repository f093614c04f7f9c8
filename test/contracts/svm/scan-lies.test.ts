// Nodes that lie about who holds a token, by the real steps of a run on the SVM: each lie with its outcome. Traders who come
// between the pages of an honest node never halt a token.
import {
  addressBytes,
  addressOf,
  readTokenAccount,
  TOKEN_2022_PROGRAM,
  tokenAccountFigures,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { type Chain, ChainUnavailable, type TokenAccountPage } from '../../../src/kernel/ports/chain.ts';
import { type EngineRunOptions, runEngine } from '../../support/faulty-chain/engine-run.ts';
import { keyOf } from '../../support/faulty-chain/token-world.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

type Listed = TokenAccountPage['accounts'][number];
/** Changes the accounts of a page as a faulty node does. `look`: index of the scan, from 0. */
type Lie = (accounts: readonly Listed[], look: number) => readonly Listed[];
/** `one answer`: a list of one slot; the chain's pages hold five accounts. */
type Way = 'pages' | 'one answer';

/** Holders who have nothing else to do with the run. */
const VICTIM = keyOf(101).address;
const INVENTED = keyOf(900).address;

function telling(lie: Lie, ways: readonly Way[] = ['pages', 'one answer']) {
  return (chain: Chain): Chain => {
    let looks = 0;
    return {
      ...chain,
      async tokenAccounts(mint, asked) {
        const page = await chain.tokenAccounts(mint, asked);
        if (!ways.includes(asked?.inOneAnswer === true ? 'one answer' : 'pages')) return page;
        const accounts = lie(page.accounts, looks);
        if (page.next === undefined) looks += 1;
        return { ...page, accounts };
      },
    };
  };
}

const ownerOf = ({ account }: Listed) => {
  const figures = tokenAccountFigures(account.data);
  return figures && addressOf(figures.owner);
};
const isVictim = (listed: Listed) => ownerOf(listed) === VICTIM;

function changed({ address, account }: Listed, change: (data: Buffer) => void): Listed {
  const data = Buffer.from(account.data);
  change(data);
  return { address, account: { ...account, data } };
}

const withAmount = (listed: Listed, by: bigint) =>
  changed(listed, (data) => data.writeBigUInt64LE(data.readBigUInt64LE(64) + by, 64));

const besideEach =
  (make: (listed: Listed) => Listed): Lie =>
  (accounts) =>
    accounts.flatMap((listed) => (isVictim(listed) ? [listed, make(listed)] : [listed]));
const insteadOf =
  (make: (listed: Listed) => readonly Listed[]): Lie =>
  (accounts) =>
    accounts.flatMap((listed) => (isVictim(listed) ? make(listed) : [listed]));
const invented = (listed: Listed): Listed =>
  changed({ ...listed, address: INVENTED }, (data) => data.set(addressBytes(INVENTED), 32));
const lacking = insteadOf(() => []);
const HALTS = (reason: RegExp) => ({ halted: expect.stringMatching(reason), closed: 0 });
const PAYS = { halted: undefined, closed: 1, findings: [], paidTwice: [] };

const runs = (options: EngineRunOptions) => runEngine(3, { weather: CALM, assets: ['sol'], ...options });

describe('a list of holders', () => {
  test.each<[string, (chain: Chain) => Chain, object]>([
    [
      'that lacks an account halts the token',
      telling(lacking),
      HALTS(/^SCAN_DISAGREES: The listed accounts lack \d+/),
    ],
    ['that lacks an account in pages alone is asked for in one answer', telling(lacking, ['pages']), PAYS],
    ['that lacks an account in one answer alone is paged', telling(lacking, ['one answer']), PAYS],
    [
      'that lacks an account for a while is waited for',
      telling((accounts, look) => (look < 4 ? lacking(accounts, look) : accounts)),
      PAYS,
    ],
    [
      'that invents an account halts the token',
      telling(besideEach(invented)),
      HALTS(/^SCAN_DISAGREES: The listed accounts have \d+ base units too many/),
    ],
    [
      'that makes a balance larger halts the token',
      telling(insteadOf((listed) => [withAmount(listed, 1n)])),
      HALTS(/have 1 base units too many/),
    ],
    ['that has an account twice counts it once', telling(besideEach((listed) => listed)), PAYS],
    [
      'that has an account twice, with another state behind it, halts the token',
      telling(besideEach((listed) => withAmount(listed, 1_000n))),
      HALTS(/have 1000 base units too many/),
    ],
  ])('%s', async (_name, lying, outcome) => {
    expect(await runs({ lying })).toMatchObject(outcome);
  });

  test('that disagrees is looked at again and again before the token halts, and the halt says the figures', async () => {
    const { halted, waitedFor, scans, distribution } = await runs({ lying: telling(lacking) });
    expect(halted).toMatch(
      /they hold \d+ and \d+ of withheld tax, and the mint has a supply of 1000000000000, including 0 of withheld tax/,
    );
    expect(waitedFor[0]).toMatch(/^unconfirmed: The listed accounts lack/);
    expect(scans.length).toBeGreaterThanOrEqual(5);
    expect(new Set(scans)).toEqual(new Set(['disagrees']));
    // No run was opened: nothing was collected, burned or sold.
    expect(distribution.map(({ type }) => type)).toEqual(['RunRequested', 'DistributionHalted']);
  });
});

describe('a trader', () => {
  /** Simulates a holder that each time moves its balance to an account listed later and closes the first. */
  const closedAfterListing = telling(besideEach(invented), ['pages']);
  const refusing = (chain: Chain): Chain => ({
    ...chain,
    async tokenAccounts(mint, asked) {
      if (asked?.inOneAnswer === true) throw new ChainUnavailable('too many accounts');
      return chain.tokenAccounts(mint, asked);
    },
  });

  test('who makes pages show a balance twice, every time, keeps nobody from being paid', async () => {
    const { scans, ...run } = await runs({ lying: closedAfterListing });
    expect(run).toMatchObject(PAYS);
    expect(scans).toEqual(['inconsistent', 'complete']);
  });

  test('who does so at a node that gives no one answer makes it wait, and never halts the token', async () => {
    const { halted, closed, waitedFor } = await runs({
      lying: (chain) => refusing(closedAfterListing(chain)),
      maxCalls: 4_000,
    });
    expect({ halted, closed }).toEqual({ halted: undefined, closed: 0 });
    expect(waitedFor).toEqual([expect.stringMatching(/^unconfirmed: The token is traded while/)]);
  });
});

describe('a second node', () => {
  /** Makes the supply smaller, as who hides a holder from a node that it controls altogether. */
  const supplyLess =
    (by: (supply: bigint) => bigint) =>
    (chain: Chain): Chain => ({
      ...chain,
      async accountsAt(addresses, commitment, options) {
        const { slot, accounts } = await chain.accountsAt(addresses, commitment, options);
        const told = accounts.map((account) => {
          const isMint = account?.owner === TOKEN_2022_PROGRAM && readTokenAccount(account) === undefined;
          if (account === undefined || !isMint) return account;
          const data = Buffer.from(account.data);
          data.writeBigUInt64LE(by(data.readBigUInt64LE(36)), 36);
          return { ...account, data };
        });
        return { slot, accounts: told };
      },
    });

  test('that shows the same changes nothing, and is recorded as agreeing', async () => {
    const run = await runs({ witness: (chain) => chain });
    expect(run).toMatchObject(PAYS);
    expect(run.runs[0]?.find(({ type }) => type === 'HoldersScanned')?.data).toMatchObject({
      sums: { slack: '0', witness: 'agrees' },
    });
  });

  test.each([
    ['hides a holder and lowers the supply', telling(lacking), -1n],
    ['invents a holder and raises the supply', telling(besideEach(invented)), 1n],
  ])('keeps a run from being opened by a node that %s', async (_name, lie, sign) => {
    let amount = 0n;
    const watching = telling((accounts) => {
      for (const listed of accounts)
        if (isVictim(listed)) {
          const figures = tokenAccountFigures(listed.account.data);
          if (figures !== undefined) amount = figures.amount + figures.withheld;
        }
      return accounts;
    });
    const lying = (chain: Chain) => supplyLess((supply) => supply + sign * amount)(lie(watching(chain)));
    // The first look does not know the amount yet, and is made again.
    const { halted, closed, waitedFor } = await runs({ lying, witness: (chain) => chain, maxCalls: 4_000 });
    expect({ halted, closed }).toEqual({ halted: undefined, closed: 0 });
    expect(waitedFor.join()).toMatch(
      /unconfirmed: The second node shows a mint that does not match the accounts/,
    );
    // Without it, both lies together are believed.
    const alone = await runs({ lying, maxCalls: 4_000 });
    expect(alone.scans).toContain('complete');
  });

  test('that is silent is asked several times, and its silence is recorded', async () => {
    const silent = (chain: Chain): Chain => ({
      ...chain,
      async accountsAt() {
        throw new ChainUnavailable('nobody is there');
      },
    });
    const { waitedFor, runs: steps } = await runs({ witness: silent, maxCalls: 3_000 });
    expect(waitedFor).toContain('unconfirmed: The second node does not respond (nobody is there).');
    expect(steps[0]?.find(({ type }) => type === 'HoldersScanned')?.data).toMatchObject({
      sums: { witness: 'silent' },
    });
  });
});
