// Links are brought onto the chain one after another, and told as landed only by what is final.
import { describe, expect, test } from 'vitest';
import { linkOf, recordLink } from '../../../../src/distribution/links/link-content.ts';
import { driveTill } from '../../../../src/distribution/links/till-driver.ts';
import { linkInstructions, markerOf } from '../../../../src/distribution/once/till-chain.ts';
import type { Markets, SaleVenue } from '../../../../src/distribution/selling/sale-venue.ts';
import { failuresIn } from '../../../../src/distribution/sending/failures.ts';
import type { Sender, SignedTransaction } from '../../../../src/distribution/sending/sender.ts';
import {
  type Chain,
  type ChainAccount,
  ChainAnswerInvalid,
  type SignatureStatus,
} from '../../../../src/kernel/ports/chain.ts';
import type { RecordedLink } from '../../../../src/streams/distribution.ts';
import { runOpened, tills } from '../../../support/distribution-examples.ts';
import { addresses, signatures } from '../../../support/domain-examples.ts';
import { signed } from '../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import {
  halting,
  NOW,
  only,
  stepAt,
  TOKEN,
  taxedMint,
  tokenAccount,
  waiting,
} from '../../../support/run-examples.ts';

const till = { number: 1, address: tills.first, slot: '4100', lamports: '700' };
const burn = recordLink(
  { number: 2, previous: tills.first, actions: [{ kind: 'burn', amount: '5' }] },
  TOKEN,
);
/** Another content for the till that `burn` would make. */
const instead = recordLink(
  { number: 2, previous: tills.first, actions: [{ kind: 'burn', amount: '4' }] },
  TOKEN,
);
const next = recordLink({ number: 3, previous: burn.till, actions: [{ kind: 'memo', text: 'x' }] }, TOKEN);
/** A sale at a market's price whose quote is not on record, so that it is too old to be signed. */
function saleOn(place: { readonly number: number; readonly previous: string }): RecordedLink {
  const figures = { amount: '5', minimum: '1', tokensAfter: '85', tillAfter: '701' };
  return recordLink(
    { ...place, actions: [{ kind: 'sell', venue: 'meteora', market: addresses.otherCreator, ...figures }] },
    TOKEN,
  );
}
const MARKER = markerOf(TOKEN.wallet.address);
const SIGNED: SignedTransaction = {
  wire: new Uint8Array([1]),
  signature: signatures.first,
  lastValidBlockHeight: 500n,
  fee: 5_000n,
};

const RENT = 2_039_280n;
/** Effects of a link on a chain with a tax of 3 %. */
const instructionsOf = (link: RecordedLink, ofPrevious = RENT) =>
  linkInstructions(
    linkOf(link, TOKEN, { tax: { epoch: 702n, basisPoints: 300, maximumFee: 1_000_000_000n }, rent: RENT }),
    TOKEN.distributor.address,
    { today: RENT, ofPrevious },
  );
/** The link that created the till of `burn`. */
const LANDED = signed(instructionsOf(burn), [TOKEN.distributor, TOKEN.wallet], TOKEN.mint);

interface Scene {
  readonly pending?: readonly RecordedLink[];
  /** Tills that exist: as final, and as the latest slot shows them. */
  readonly final?: readonly string[];
  readonly latest?: readonly string[];
  readonly isAccountShown?: boolean;
  readonly status?: SignatureStatus;
  readonly height?: bigint;
  /** What a simulation says. */
  readonly error?: string;
  readonly signedBefore?: boolean;
  /** The slot that answers name, and that of the transaction which made the till; undefined where the node hides it. */
  readonly slot?: bigint;
  readonly landedIn?: number;
  readonly state?: { readonly till: typeof till | undefined };
  /** In the place of the accounts that the node would show. */
  readonly instead?: { readonly [address: string]: ChainAccount | undefined };
}

function scene({
  pending = [burn],
  final = [tills.first],
  latest = final,
  isAccountShown = true,
  status,
  height = 400n,
  error,
  signedBefore = false,
  slot = 4_200n,
  landedIn,
  state = { till },
  instead = {},
}: Scene) {
  const did: string[] = [];
  const simulated: unknown[] = [];
  const signing: unknown[] = [];
  const asked: unknown[] = [];
  const accountOf = (shown: readonly string[], address: string): ChainAccount | undefined => {
    if (address in instead) return instead[address];
    if (address === TOKEN.tokens) return isAccountShown ? tokenAccount({ amount: 90n }) : undefined;
    if (address === MARKER) return state.till && tokenAccount({ amount: 0n });
    return shown.includes(address) ? tokenAccount({ amount: 700n }) : undefined;
  };
  const chain = only<Chain>('the chain', {
    async accountsAt(addresses, commitment, options) {
      asked.push([commitment, options]);
      const shown = commitment === 'finalized' ? final : latest;
      return { slot, accounts: addresses.map((address) => accountOf(shown, address)) };
    },
    statuses: async () => [status],
    tip: async () => ({ slot: 4_200n, blockHeight: height }),
    epoch: async () => 702n,
    async accounts(_addresses, commitment, options) {
      asked.push([commitment, options]);
      return [taxedMint({ supply: 1_000n, withheld: 0n })];
    },
    rentExemption: async () => RENT,
    recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: 600n }),
    signaturesOf: async () =>
      landedIn === undefined ? [] : [historyEntry(signatures.first, { slot: landedIn })],
    transaction: async () =>
      landedIn === undefined
        ? undefined
        : {
            ...{ slot: landedIn, wire: LANDED, fee: 5_000n, error: undefined, logs: [] },
            tokensAfter: new Map([[burn.till, 700n]]),
          },
  });
  const sender = only<Sender>('the sender', {
    price: async () => 0n,
    async simulate(...given) {
      did.push('simulate');
      simulated.push(given);
      return { slot: 4_200n, error, logs: [], unitsConsumed: 9, wire: new Uint8Array() };
    },
    async sign(instructions, keys, units) {
      did.push('sign');
      signing.push([instructions, keys, units]);
      return { ...SIGNED, signature: signatures.second };
    },
    async send({ signature }) {
      did.push(`send ${signature === signatures.first ? 'again' : 'anew'}`);
    },
  });
  let passed = 0;
  const at = stepAt([runOpened], {
    parts: {
      chain,
      sender,
      markets: only<Markets>('the markets', {
        venueOf: () => only<SaleVenue>('a venue'),
      }),
      clock: { now: () => new Date(NOW.getTime() + passed) },
    },
    memory: { links: new Map(signedBefore ? pending.map(({ till: made }) => [made, SIGNED] as const) : []) },
  });
  const { memory } = at;
  const view = { ...at.view, state: { ...at.view.state, ...state, pending: [...pending] } };
  const drive = () => driveTill({ ...at, view });
  const pass = (milliseconds: number) => {
    passed += milliseconds;
  };
  return { drive, did, asked, memory, pass, simulated, signing };
}

describe('a recorded link', () => {
  test('whose till does not commit to its actions is neither looked for nor signed', async () => {
    const altered = { ...burn, actions: [{ kind: 'burn', amount: '6' } as const] };
    const { drive, did, asked } = scene({ pending: [altered] });
    expect(await drive()).toEqual(
      halting('CONTENT_MISMATCH', `The till ${burn.till} does not commit to its recorded content.`),
    );
    expect([did, asked]).toEqual([[], []]);
  });

  test('is simulated, signed as it was simulated, remembered and sent, by what the latest slot shows', async () => {
    const { drive, did, memory, asked, simulated, signing } = scene({});
    expect(await drive()).toMatchObject(
      waiting('finality', 'The link that creates till 2 is not final yet.', 400),
    );
    expect(did).toEqual(['simulate', 'sign', 'send anew']);
    expect(memory.links.get(burn.till)?.signature).toBe(signatures.second);
    const [distributor, wallet] = [TOKEN.distributor, TOKEN.wallet];
    expect(simulated).toEqual([[instructionsOf(burn), distributor.address, { atLeastSlot: 4_200n }]]);
    expect(signing).toEqual([[instructionsOf(burn), [distributor, wallet], 9]]);
    expect(asked).toEqual([
      ['finalized', { atLeastSlot: 4_100n, elsewhere: false }],
      ['confirmed', { atLeastSlot: 4_200n }],
      ['confirmed', { atLeastSlot: 4_200n }],
    ]);
  });

  test('gives the rent of the till that it spends back, as far as somebody can have lent it', async () => {
    const lent = (rent: bigint) => {
      const account = tokenAccount({ amount: 700n });
      const data = Buffer.from(account.data);
      data.writeBigUInt64LE(rent, 113);
      return scene({ instead: { [tills.first]: { ...account, data, lamports: 4_000_000_000n } } });
    };
    const { drive, signing } = lent(5_000n);
    await drive();
    expect(signing).toEqual([[instructionsOf(burn, 5_000n), expect.anything(), 9]]);
    await expect(lent(3_000_000_000n).drive()).rejects.toThrow(ChainAnswerInvalid);
  });

  test.each<readonly [what: string, given: Scene, did: readonly string[]]>([
    ['that may still land is sent again as it is', {}, ['send again']],
    ['in its last block is sent again', { height: 500n }, ['send again']],
    ['whose blockhash is too old is signed anew', { height: 501n }, ['simulate', 'sign', 'send anew']],
  ])('%s', async (_what, given, expected) => {
    const { drive, did } = scene({ signedBefore: true, ...given });
    expect(await drive()).toMatchObject({ kind: 'wait' });
    expect(did).toEqual(expected);
  });

  test('that failed on the chain is signed anew only when a pause is over, which doubles with each failure', async () => {
    const status: SignatureStatus = { commitment: 'confirmed', slot: 4_150, error: '"x"' };
    const { drive, did, memory, pass } = scene({ signedBefore: true, status });
    for (let look = 0; look < 3; look++)
      expect(await drive()).toMatchObject({
        waiting: { for: { code: 'transaction-refused', error: '"x"' } },
      });
    pass(4_999);
    await drive();
    expect([did, failuresIn(memory.failures)]).toEqual([[], 1]);
    pass(1);
    await drive();
    expect(did.splice(0)).toEqual(['simulate', 'sign', 'send anew']);
    // The second failed as well.
    pass(9_999);
    expect(await drive()).toMatchObject({ waiting: { for: { code: 'transaction-refused' } } });
    pass(9_999);
    await drive();
    expect([did, failuresIn(memory.failures)]).toEqual([[], 2]);
    pass(1);
    await drive();
    expect(did).toEqual(['simulate', 'sign', 'send anew']);
  });

  test('that is too old is not signed again, but what may still land is sent', async () => {
    const sale = saleOn({ number: 2, previous: tills.first });
    const { drive, did } = scene({ pending: [sale] });
    expect(await drive()).toEqual({ stuck: sale });
    expect(did).toEqual([]);
    const sent = scene({ pending: [sale], signedBefore: true });
    expect(await sent.drive()).toMatchObject({ kind: 'wait' });
    expect(sent.did).toEqual(['send again']);
  });

  const strangers = tokenAccount({ owner: addresses.otherCreator, amount: 700n });
  test.each<readonly [what: string, given: Scene, link: RecordedLink]>([
    ['on top of one that is not final yet', { pending: [burn, next], latest: [burn.till] }, next],
    ['as the content of its till that was recorded last', { pending: [burn, instead] }, instead],
    ['on the content that landed', { pending: [burn, instead, next], latest: [burn.till] }, next],
    ['where a stranger has an account at its address', { instead: { [burn.till]: strangers } }, burn],
  ])('is signed %s', async (_how, given, link) => {
    const { drive, memory } = scene(given);
    expect(await drive()).toMatchObject({ kind: 'wait', waiting: { for: { code: 'finality' } } });
    expect([...memory.links.keys()]).toEqual([link.till]);
  });

  test.each<readonly [what: string, given: Scene, code: string]>([
    ['another one has made its till', { latest: [burn.till] }, 'finality'],
    [
      'it builds on a content that did not land',
      { pending: [burn, instead, next], latest: [instead.till] },
      'finality',
    ],
    ['no till is shown, though the token has some', { latest: [] }, 'chain-unavailable'],
  ])('is not signed while %s', async (_why, given, code) => {
    const { drive, did } = scene(given);
    expect(await drive()).toMatchObject({ kind: 'wait', waiting: { for: { code } } });
    expect(did).toEqual([]);
  });
});

describe('links that have landed', () => {
  const unseen = { kind: 'wait', waiting: { for: { code: 'chain-unavailable' } } };

  test('of two contents for one till are the one whose till exists', async () => {
    const { drive } = scene({ pending: [burn, instead], final: [burn.till], landedIn: 4_150 });
    expect(await drive()).toMatchObject({ landed: { links: [{ till: burn.till }] } });
  });

  test.each([
    ['the slot that shows them', 14_150n, '14150'],
    ['a slot near their transaction where a node names one far ahead', 14_151n, '14150'],
    ['a slot near their transaction where a node names an absurd one', 2n ** 60n, '14150'],
  ])('are told with %s, since nothing of the token is read from before it any more', async (_what, slot, told) => {
    const { drive } = scene({ final: [burn.till], landedIn: 4_150, slot });
    expect(await drive()).toMatchObject({
      landed: { slot: told, links: [{ till: burn.till, signature: signatures.first }] },
    });
  });

  test('while another builds on them are left until that one has landed too', async () => {
    const { drive, did } = scene({ pending: [burn, next], final: [burn.till] });
    expect(await drive()).toMatchObject({ waiting: { for: { code: 'finality' } } });
    expect(did).toEqual(['simulate', 'sign', 'send anew']);
  });

  test.each<readonly [why: string, given: Scene]>([
    ['would be refused', { error: '"AccountNotFound"' }],
    ['is too old', { pending: [burn, saleOn({ number: 3, previous: burn.till })] }],
  ])('are told before another content takes the place of the next one, which %s', async (_why, given) => {
    const { drive } = scene({ pending: [burn, next], final: [burn.till], ...given });
    expect(await drive()).toMatchObject(unseen);
  });
});

describe('a chain that shows no till of the token', () => {
  test('is ahead of the log only after many looks', async () => {
    const { drive, memory, asked } = scene({ final: [] });
    expect(await drive()).toMatchObject({ kind: 'wait', waiting: { for: { code: 'chain-unavailable' } } });
    const [name = ''] = memory.absences.keys();
    memory.absences.set(name, {
      reads: 19,
      slot: 4_199n,
      since: NOW.getTime() - 10_000,
    });
    expect(await drive()).toEqual(
      halting(
        'CHAIN_AHEAD_OF_LOG',
        `At slot 4200 the till ${tills.first} is gone, and no till in the log has replaced it.`,
      ),
    );
    expect(asked.at(-1)).toEqual(['finalized', { atLeastSlot: 4_100n, elsewhere: true }]);
  });

  test('has the first one made where the token has none', async () => {
    const first = recordLink({ number: 0, previous: null, actions: [] }, TOKEN);
    const { drive, did } = scene({ state: { till: undefined }, pending: [first], final: [] });
    expect(await drive()).toMatchObject({ kind: 'wait' });
    expect(did).toEqual(['simulate', 'sign', 'send anew']);
    // The token's marker would say that there were tills before.
    const marked = scene({
      state: { till: undefined },
      pending: [first],
      final: [],
      instead: { [MARKER]: tokenAccount({ amount: 0n }) },
    });
    expect(await marked.drive()).toMatchObject({ waiting: { for: { code: 'chain-unavailable' } } });
    expect(marked.did).toEqual([]);
  });
});
