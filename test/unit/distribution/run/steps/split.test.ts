// Splitting the tax: the link that burns and sells, and the amounts once it has landed.
import { describe, expect, test } from 'vitest';
import { isTrueToContent } from '../../../../../src/distribution/links/link-content.ts';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideSplit, quoteSale, readSplitFacts } from '../../../../../src/distribution/run/steps/split.ts';
import type { PriceReference } from '../../../../../src/distribution/selling/price-reference.ts';
import type { Markets, SaleQuote } from '../../../../../src/distribution/selling/sale-venue.ts';
import type { Chain } from '../../../../../src/kernel/ports/chain.ts';
import {
  LinksLanded,
  LinksRecorded,
  NOTHING_CARRIED,
  type RecordedLink,
  RunOpened,
} from '../../../../../src/streams/distribution.ts';
import { SaleAwaited, TaxCollected } from '../../../../../src/streams/distribution-run.ts';
import {
  keepingRecorded,
  linksLanded,
  linksRecorded,
  runId,
  runOpened,
  saleBasis,
  saleRecorded,
  soldAtMarket,
  split,
  splitLanded,
  splitWithOwnTax,
  taxCollected,
  tills,
} from '../../../../support/distribution-examples.ts';
import { addresses, ids, signatures } from '../../../../support/domain-examples.ts';
import {
  courseTo,
  halting,
  NOW,
  only,
  recordedBy,
  stepAt,
  TOKEN,
  taxedMint,
  viewOf,
  waiting,
} from '../../../../support/run-examples.ts';

type SplitFacts = Parameters<typeof decideSplit>[1];

const COLLECTED = courseTo(taxCollected);
const LANDED = courseTo(splitLanded);
const FEES: SplitFacts = { fees: 10_000n, epoch: 702n };
const SALE = {
  venue: 'meteora',
  mint: TOKEN.mint,
  decimals: 6,
  market: addresses.otherNonceAccount,
  amount: 810_000n,
  minimum: 99_000_000n,
} as const;
type Selling = Extract<SplitFacts, { readonly selling: unknown }>['selling'];
const unsold = (selling: Selling): SplitFacts => ({ selling, now: NOW });
const KEEP = unsold({ kind: 'keep', reason: 'no-market' });

const openedWith = (changed: Partial<typeof runOpened.data>) => RunOpened({ ...runOpened.data, ...changed });
const settings = (changed: Partial<typeof runOpened.data.settings>) => ({
  settings: { ...runOpened.data.settings, ...changed },
});
const owing = (sol: string, dust = '0') => ({
  carried: { ...NOTHING_CARRIED, owed: { sol, token: '0' }, dust: { sol: dust, token: '0' } },
});

function linkOf(decision: ReturnType<typeof decideSplit>) {
  const [recorded] = recordedBy(decision);
  if (decision.kind !== 'record-of-token' || recorded?.type !== 'LinksRecorded')
    throw new Error('a link is recorded');
  const [link] = recorded.data.links;
  return { ...recorded.data, link: link as RecordedLink };
}

/** Recorded and landed, with so many lamports in the till afterwards. */
function landed(recorded: typeof saleRecorded, lamports: string, opening = runOpened) {
  const [link] = recorded.data.links;
  return viewOf([
    ...courseTo(taxCollected, [opening]),
    recorded,
    LinksLanded({
      ...splitLanded.data,
      links: [{ ...(link as RecordedLink), signature: signatures.first, fee: '5000' }],
      lamports,
    }),
  ]);
}

describe('the link of a split', () => {
  test('burns and sells in one, at bounds that hold what is kept and what is in the till', () => {
    const {
      purpose,
      link,
      sale,
      unsold: why,
    } = linkOf(decideSplit(viewOf(COLLECTED), unsold({ kind: 'sell', sale: SALE, basis: null })));
    expect([purpose, sale, why]).toEqual(['split', undefined, undefined]);
    expect(link).toMatchObject({ number: 1, previous: tills.first, actions: split.actions });
    expect(isTrueToContent(link, TOKEN)).toBe(true);
  });

  test('records by what a sale at a market’s price was judged', () => {
    const facts = unsold({ kind: 'sell', sale: SALE, basis: saleBasis });
    expect(linkOf(decideSplit(viewOf(COLLECTED), facts)).sale).toEqual(saleBasis);
  });

  test('adds what the till holds already to what it must hold after a sale', () => {
    const [link] = split.actions.slice(1);
    const before = COLLECTED.map((event) =>
      event.type === 'LinksLanded' ? LinksLanded({ ...event.data, lamports: '7' }) : event,
    );
    const facts = unsold({ kind: 'sell', sale: SALE, basis: null });
    expect(linkOf(decideSplit(viewOf(before), facts)).link.actions).toContainEqual({
      ...link,
      tillAfter: '99000007',
    });
  });

  test('burns alone, and says why nothing is sold', () => {
    const { link, unsold: why } = linkOf(decideSplit(viewOf(COLLECTED), KEEP));
    expect(link.actions).toEqual([{ kind: 'burn', amount: '100000' }]);
    expect(why).toBe('no-market');
  });
});

describe('a sale is waited for', () => {
  const until = (milliseconds: number, reason?: 'price-unknown'): SplitFacts =>
    unsold({ kind: 'wait', until: NOW.getTime() + milliseconds, reason, lastCheck: undefined });

  test.each([
    ['a moment that has come almost', 1, 1_000],
    ['a moment that is over', -5_000, 1_000],
    ['a moment to come', 7_000, 7_000],
    ['a moment that is far away', 3_600_000, 60_000],
  ])('%s', (_what, milliseconds, pause) => {
    expect(decideSplit(viewOf(COLLECTED), until(milliseconds))).toEqual(
      waiting('scheduled', 'The collected tax is sold at a secret time.', pause),
    );
  });

  test('for a reason that passes: recorded once', () => {
    const facts = until(7_000, 'price-unknown');
    const decision = decideSplit(viewOf(COLLECTED), facts);
    const awaited = SaleAwaited({ tokenId: ids.tokenId, runId, reason: 'price-unknown' });
    const detail = 'The price of the pool has not been sampled for long enough.';
    const waiting = { for: { code: 'no-market', detail }, pause: 7_000 };
    expect(decision).toMatchObject({ kind: 'record-of-run', events: [awaited], waiting });
    expect(decideSplit(viewOf([...COLLECTED, awaited]), facts)).toMatchObject({ kind: 'wait', waiting });
  });
});

describe('once the link has landed', () => {
  test('what the sale brought is divided, with its tax noted, and holders are allotted next', () => {
    const decision = decideSplit(viewOf(LANDED), FEES);
    const { ownTax: noted, ...amounts } = splitWithOwnTax.data;
    const nothing = { developer: '0', holders: '0' };
    const ownTax = { ...noted, before: nothing, returned: nothing };
    expect(decision).toEqual({
      kind: 'record-of-run',
      events: [{ ...splitWithOwnTax, data: { ...amounts, tries: 1, offers: [], ownTax } }],
    });
    const owners = { owners: stepAt(LANDED).memory.owners, scan: undefined };
    expect(nextStep(viewOf([...LANDED, ...recordedBy(decision)]), owners, RECIPIENTS)).toBe('scan');
  });

  test('the offers at a market’s price are told, and which of them landed', () => {
    const other = { ...split, till: tills.third };
    const { data } = saleRecorded;
    const refused = LinksRecorded({ ...data, links: [other], sale: saleBasis });
    const view = viewOf([...COLLECTED, refused, saleRecorded, splitLanded]);
    const [offer] = soldAtMarket.data.offers ?? [];
    expect(recordedBy(decideSplit(view, FEES))).toMatchObject([
      { data: { tries: 2, offers: [{ ...offer, landed: false }, offer] } },
    ]);
  });

  test('its costs are the fees, but no more than they may be', () => {
    // A tenth of the proceeds.
    const decision = decideSplit(viewOf(LANDED), { ...FEES, fees: 10_000_001n });
    expect(recordedBy(decision)).toMatchObject([{ data: { costs: '10000000' } }]);
  });

  test('what lay in the till before is not divided', () => {
    const view = landed(saleRecorded, '100000012', openedWith(owing('5', '7')));
    expect(recordedBy(decideSplit(view, FEES))).toMatchObject([{ data: { proceeds: '100000000' } }]);
  });

  test('a till that holds a lamport less than what is owed or undivided halts the token', () => {
    const carrying = openedWith(owing('99999999', '1'));
    expect(recordedBy(decideSplit(landed(saleRecorded, '100000000', carrying), FEES))).toMatchObject([
      { data: { proceeds: '0', costs: '0', developer: '0', holders: '0' } },
    ]);
    expect(decideSplit(landed(saleRecorded, '99999999', carrying), FEES)).toEqual(
      halting(
        'BOOKS_DISAGREE',
        `The till ${tills.second} holds 99999999 lamports, less than the owed and undivided amounts.`,
      ),
    );
  });

  test('without a sale everything is kept, and it is told why', () => {
    expect(recordedBy(decideSplit(landed(keepingRecorded, '0'), FEES))).toMatchObject([
      {
        data: {
          burned: '100000',
          sold: { developer: '0', holders: '0' },
          kept: { developer: '100000', holders: '800000' },
          unsold: 'price-below-reference',
          proceeds: '0',
          ownTax: { after: { developer: '0', holders: '0' } },
        },
      },
    ]);
  });

  test('without a sale nothing is unsold where everything was burned', () => {
    const all = openedWith(settings({ burnBasisPoints: 10_000, developerFeeBasisPoints: 0 }));
    expect(recordedBy(decideSplit(landed(keepingRecorded, '0', all), FEES))).toMatchObject([
      { data: { burned: '1000000', unsold: null } },
    ]);
  });
});

describe('where the token itself is paid', () => {
  const inTokens = (burnBasisPoints: number) =>
    openedWith({ asset: 'token', ...settings({ burnBasisPoints }) });
  const nothingSold = { unsold: null, proceeds: '0', costs: '0' };

  test('nothing is sold: what would be is divided as it is', () => {
    const view = viewOf(courseTo(taxCollected, [inTokens(0)]));
    const decision = decideSplit(view, unsold({ kind: 'keep', reason: 'nothing-to-sell' }));
    const [recorded] = recordedBy(decision);
    expect(recorded).toMatchObject({
      type: 'TaxSplit',
      data: {
        ...nothingSold,
        burned: '0',
        sold: { developer: '90000', holders: '810000' },
        developer: '90000',
        holders: '810000',
      },
    });
    expect(recorded).toMatchObject({ data: { tries: 0, offers: [] } });
  });

  test('what is burned is burned by a link first', () => {
    const opening = inTokens(1_000);
    const decision = decideSplit(
      viewOf(courseTo(taxCollected, [opening])),
      unsold({ kind: 'keep', reason: 'nothing-to-sell' }),
    );
    const { link, unsold: why } = linkOf(decision);
    expect([link.actions, why]).toEqual([[{ kind: 'burn', amount: '100000' }], undefined]);
    const view = landed(LinksRecorded({ ...keepingRecorded.data, links: [link] }), '0', opening);
    expect(recordedBy(decideSplit(view, FEES))).toMatchObject([
      {
        type: 'TaxSplit',
        data: { ...nothingSold, burned: '100000', developer: '90000', holders: '720000' },
      },
    ]);
  });
});

describe('a look at the split', () => {
  test('asks no market where nothing is to be sold', async () => {
    const keeping = unsold({ kind: 'keep', reason: 'nothing-to-sell' });
    for (const instead of [
      openedWith({ asset: 'token' }),
      openedWith(settings({ sellBasisPoints: 0 })),
      TaxCollected({ ...taxCollected.data, collected: '0' }),
    ])
      expect(await readSplitFacts(stepAt(courseTo(taxCollected, [instead])))).toEqual(keeping);
  });

  test('tells the fees of the whole run', async () => {
    const chain = only<Chain>('the chain', { epoch: async () => 702n });
    const facts = await readSplitFacts(stepAt(LANDED, { parts: { chain } }));
    // The withdrawal, the first three links and the closing one with two signatures each, and one payment.
    expect(facts).toEqual({
      fees: 10_000n + 5_000n * (1n + 2n * 5n),
      epoch: 702n,
    });
  });
});

describe('a look at the market', () => {
  const { at: _at, ...basis } = saleBasis;
  const GOOD: SaleQuote = {
    sale: {
      venue: 'meteora',
      mint: addresses.mint,
      decimals: 6,
      market: addresses.creator,
      amount: 7n,
      minimum: 1n,
    },
    expected: 1n,
    basis,
  };
  const LOW: SaleQuote = { reason: 'price-below-reference' };

  const PRICE: PriceReference = { sqrtPrice: 1n, samples: 40, from: 0, to: 1 };

  const collected = TaxCollected({ ...taxCollected.data, at: '2026-05-04T11:00:20.000Z' });

  const stepWith = (parts: Parameters<typeof stepAt>[1] = {}) =>
    stepAt([runOpened, linksRecorded, linksLanded, collected], parts);
  const chain = only<Chain>('the chain', {
    epoch: async () => 702n,
    accounts: async () => [taxedMint({ supply: 1_000_000n, withheld: 0n })],
  });

  test('after a look at a low price a good one is sold at the next moment, and not before', async () => {
    // No moment comes later than ten minutes after the collection.
    let now = Date.parse('2026-05-04T11:10:30.000Z');
    let quote: readonly [SaleQuote] = [LOW];
    const at = stepWith({
      parts: {
        clock: { now: () => new Date(now) },
        chain,
        markets: only<Markets>('the markets', { quote: async () => quote[0] }),
      },
    });
    const look = async () => {
      const facts = await quoteSale(at);
      if (!('selling' in facts)) throw new Error('nothing is sold yet');
      return facts.selling;
    };
    const waiting = await look();
    if (waiting.kind !== 'wait') throw new Error('a low price is waited with');
    expect(waiting.reason).toBe('price-below-reference');

    quote = [GOOD];
    now = waiting.until - 1;
    expect(await look()).toMatchObject({ until: waiting.until });
    now = waiting.until;
    expect(await look()).toMatchObject({ kind: 'sell' });
  });

  test('a sale is judged by the price that was watched, and by what sales of other links have moved', async () => {
    const asked: unknown[] = [];
    const look = async (watched: PriceReference | undefined) => {
      const at = stepWith({
        parts: {
          chain,
          markets: only<Markets>('the markets', {
            async quote(_token, _wanted, bounds) {
              asked.push(bounds);
              return LOW;
            },
          }),
          prices: { want: () => {}, of: (of) => (of === TOKEN.mint ? watched : undefined) },
        },
      });
      const impacts = [1, 9].map((number) => ({ number, till: '', at: NOW.toISOString(), impact: 70 }));
      await quoteSale({ ...at, view: { ...at.view, state: { ...at.view.state, impacts } } });
    };
    await look(undefined);
    await look(PRICE);
    expect(asked).toEqual([
      { moved: 70n, reference: 'unknown' },
      { moved: 70n, reference: PRICE },
    ]);
  });
});
