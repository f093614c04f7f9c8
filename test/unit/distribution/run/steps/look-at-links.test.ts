// What is looked for when a recorded link cannot land: late payments, other meters, a new quote.
import { describe, expect, test } from 'vitest';
import { GONE_AFTER, LOOKS_UNTIL_GONE } from '../../../../../src/distribution/absences.ts';
import { recordLink } from '../../../../../src/distribution/links/link-content.ts';
import { payFromPot } from '../../../../../src/distribution/once/meter.ts';
import { createPayingMemory } from '../../../../../src/distribution/paying/paying.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { batchKey } from '../../../../../src/distribution/paying/plan-batches.ts';
import { driveLinks } from '../../../../../src/distribution/run/steps/drive-links.ts';
import type { Markets, SaleVenue } from '../../../../../src/distribution/selling/sale-venue.ts';
import type { Sender } from '../../../../../src/distribution/sending/sender.ts';
import type { Chain } from '../../../../../src/kernel/ports/chain.ts';
import { LinksLanded, LinksRecorded } from '../../../../../src/streams/distribution.ts';
import { RunAllotted } from '../../../../../src/streams/distribution-run.ts';
import {
  delegate,
  files,
  openRecorded,
  pot,
  roundRecorded,
  runAllotted,
  runId,
  saleBasis,
  split,
  taxCollected,
  tills,
} from '../../../../support/distribution-examples.ts';
import { signatures } from '../../../../support/domain-examples.ts';
import { signed } from '../../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../../support/history-entry.ts';
import {
  BOOK,
  courseTo,
  KEYRING,
  NOW,
  nodeShowing,
  only,
  openLanded,
  recordedBy,
  stepAt,
  TOKEN,
  taxedMint,
  tokenAccount,
} from '../../../../support/run-examples.ts';

/** What a link is signed with. */
const mint: Partial<Chain> = {
  epoch: async () => 702n,
  accounts: async () => [taxedMint({ supply: 1_000_000_000n, withheld: 0n })],
  rentExemption: async () => 2_039_280n,
};
const refusing = only<Sender>('the sender', {
  price: async () => 0n,
  simulate: async () => ({
    slot: 4_200n,
    error: '{"InstructionError":[0,{"Custom":1}]}',
    logs: [],
    unitsConsumed: 0,
    wire: new Uint8Array(),
  }),
});

describe('links that close pots and are refused', () => {
  const wire = new Uint8Array([1, 2, 3]);
  const link = recordLink(
    {
      number: 3,
      previous: tills.third,
      actions: [{ kind: 'close', pot, left: '90000000', rent: '2039280' }],
    },
    TOKEN,
  );
  const events = [
    ...courseTo(roundRecorded),
    LinksRecorded({ ...openRecorded.data, purpose: 'close', links: [link] }),
  ];

  /** `left`: undefined where the node does not show the pot, as often as an absence takes. */
  function look(left: bigint | undefined, isShown = true) {
    const refused: string[] = [];
    const paying = createPayingMemory(4_130n);
    const [plan] = roundRecorded.data.batches;
    if (plan === undefined) throw new Error('the example plans a batch');
    const transaction = { wire, signature: signatures.first, lastValidBlockHeight: 9n, fee: 5_000n };
    paying.signed.set(batchKey(plan), { transaction, before: [] });
    const { chain } = nodeShowing(
      {
        [TOKEN.tokens]: tokenAccount({ amount: 90_000n }),
        [tills.third]: tokenAccount({ amount: 10_000_000n }),
        [pot]: left === undefined ? left : tokenAccount({ amount: left, delegate, delegated: left }),
      },
      {
        ...mint,
        signaturesOf: async () => [],
        transaction: async () =>
          isShown ? { slot: 4_150, wire, fee: 5_000n, error: undefined, logs: [] } : undefined,
      },
    );
    const at = stepAt(events, {
      parts: {
        chain,
        sender: refusing,
        markets: only<Markets>('the markets', { venueOf: () => only<SaleVenue>('a venue') }),
        counts: {
          scanned() {},
          sale() {},
          transaction: (kind, outcome) => refused.push(`${kind} ${outcome}`),
        },
      },
      memory: {
        book: { ledger: files.ledger, book: only<PaymentBook>('the book', BOOK) },
        paying,
        runId: '',
        absences: new Map([
          [`the pot ${pot}`, { looks: LOOKS_UNTIL_GONE, slot: 4_100n, since: NOW.getTime() - GONE_AFTER }],
        ]),
      },
    });
    return { decision: driveLinks(at), refused };
  }

  test('find the payments that landed after they were planned, so that these are settled', async () => {
    const { decision, refused } = look(0n);
    expect(recordedBy(await decision)).toMatchObject([
      { type: 'BatchesSettled', data: { batches: [{ signature: signatures.first, left: '0' }] } },
    ]);
    expect(refused).toEqual(['link refused']);
  });

  test('wait for a payment that a node does not show', async () => {
    const { decision } = look(0n, false);
    expect(await decision).toMatchObject({ kind: 'wait', waiting: { for: { code: 'chain-unavailable' } } });
  });

  test('find the meters as they are where nothing was paid', async () => {
    const { decision } = look(90_000_000n);
    expect(await decision).toMatchObject({
      kind: 'wait',
      waiting: { pause: 5_000 },
    });
  });

  test('wait where their pot is gone: they may have closed it themselves', async () => {
    const { decision } = look(undefined);
    expect(await decision).toMatchObject({
      kind: 'wait',
      waiting: { pause: 5_000 },
    });
  });
});

describe('links that close pots of which none has an open plan', () => {
  const [sol] = runAllotted.data.pots;
  if (sol === undefined) throw new Error('the example has a pot');
  const allotted = RunAllotted({
    ...runAllotted.data,
    pots: [
      { ...sol, delegate: TOKEN.distributor.address },
      { ...sol, asset: 'token', address: TOKEN.tokens, delegate, seed: '', allowance: '500' },
    ],
  });
  const link = recordLink(
    {
      number: 3,
      previous: tills.third,
      actions: [{ kind: 'close', pot, left: sol.allowance, rent: '2039280' }],
    },
    TOKEN,
  );
  const revoked = LinksLanded({
    ...openLanded.data,
    purpose: 'close',
    links: [
      {
        number: 2,
        previous: null,
        till: tills.third,
        actions: [{ kind: 'revoke', delegate, left: '500' }],
        signature: signatures.second,
        fee: '5000',
      },
    ],
  });
  const events = [
    ...courseTo(openLanded, [allotted]),
    revoked,
    LinksRecorded({ ...openRecorded.data, purpose: 'close', links: [link] }),
  ];

  function look(left: bigint) {
    const from = {
      address: pot,
      owner: TOKEN.wallet.address,
      delegate: TOKEN.distributor.address,
      asset: { kind: 'sol' },
    } as const;
    const searched: string[] = [];
    const payments = [{ to: TOKEN.mint, amount: 1_000_000n }];
    const wire = signed(
      payFromPot(from, BigInt(sol?.allowance ?? 0), payments),
      [TOKEN.distributor],
      TOKEN.mint,
    );
    const { chain } = nodeShowing(
      {
        // What the key of the run was approved for is taken back.
        [TOKEN.tokens]: tokenAccount({ amount: 90_000n }),
        [tills.third]: tokenAccount({ amount: 10_000_000n }),
        [pot]: tokenAccount({ amount: left, delegate: TOKEN.distributor.address, delegated: left }),
      },
      {
        ...mint,
        async signaturesOf(address) {
          searched.push(address);
          return address === pot ? [historyEntry(signatures.first, { slot: 4_150 })] : [];
        },
        transaction: async () => ({ slot: 4_150, wire, fee: 5_000n, error: undefined, logs: [] }),
      },
    );
    const at = stepAt(events, {
      parts: {
        chain,
        sender: refusing,
        markets: only<Markets>('the markets', { venueOf: () => only<SaleVenue>('a venue') }),
        counts: { scanned() {}, sale() {}, transaction() {} },
      },
      memory: { book: { ledger: files.ledger, book: only<PaymentBook>('the book', BOOK) } },
    });
    return { decision: driveLinks(at), searched };
  }

  test('halt the token where a payment that is in no plan has lowered one', async () => {
    const { decision } = look(89_000_000n);
    expect(await decision).toMatchObject({
      kind: 'halt',
      code: 'PAYMENT_UNKNOWN',
      reason: expect.stringContaining(signatures.first),
    });
  });

  test('ask nothing of a key whose approval was taken back', async () => {
    const { decision, searched } = look(90_000_000n);
    expect(await decision).toMatchObject({ kind: 'wait', waiting: { pause: 5_000 } });
    expect(searched).toEqual([]);
  });
});

describe('a sale', () => {
  function look(now: Date, venue: 'desk' | 'meteora' = 'meteora') {
    const actions = split.actions.map((each) => (each.kind === 'sell' ? { ...each, venue } : each));
    const link = recordLink({ number: 1, previous: tills.first, actions }, TOKEN);
    const judged = venue === 'desk' ? {} : { sale: saleBasis };
    const recorded = LinksRecorded({ ...openRecorded.data, purpose: 'split', links: [link], ...judged });
    const asked: bigint[] = [];
    const refused: string[] = [];
    const { chain } = nodeShowing(
      {
        [TOKEN.tokens]: tokenAccount({ amount: 1_000_000n }),
        [tills.first]: tokenAccount({ amount: 0n }),
      },
      mint,
    );
    const markets = only<Markets>('the markets', {
      venueOf: () => only<SaleVenue>('the pool', { signers: () => [] }),
      async quote(_token, wanted) {
        asked.push(wanted);
        return { reason: 'pool-empty' };
      },
    });
    const counts = {
      scanned() {},
      sale() {},
      transaction: (kind: string, outcome: string) => refused.push(`${kind} ${outcome}`),
    };
    const parts = { chain, markets, sender: refusing, clock: { now: () => now }, counts };
    const at = stepAt([...courseTo(taxCollected), recorded], { parts });
    return { decision: driveLinks(at), asked, refused };
  }
  const aged = (milliseconds: number) => new Date(Date.parse(saleBasis.at) + milliseconds);

  test('that is refused is quoted anew, and the tokens are kept where no market takes them', async () => {
    const { decision, asked, refused } = look(aged(59_999));
    expect(recordedBy(await decision)).toMatchObject([
      { type: 'LinksRecorded', data: { purpose: 'split', unsold: 'pool-empty' } },
    ]);
    expect([asked, refused]).toEqual([[810_000n], ['link refused']]);
  });

  test('whose quote is a minute old is not signed: it is quoted anew, and nothing counts as refused', async () => {
    const { decision, asked, refused } = look(aged(60_000));
    await decision;
    expect([asked, refused]).toEqual([[810_000n], []]);
  });

  test('at a fixed price is signed however old its quote is', async () => {
    const { decision, refused } = look(aged(3_600_000), 'desk');
    await decision;
    expect(refused).toEqual(['link refused']);
  });
});

describe('a link without a sale', () => {
  const otherRun = '0198c0de-0000-7000-8000-00000000dead';
  const burning = recordLink(
    { number: 1, previous: tills.first, actions: [{ kind: 'burn', amount: '90000' }] },
    TOKEN,
  );
  const { chain } = nodeShowing(
    { [TOKEN.tokens]: tokenAccount({ amount: 1_000_000n }), [tills.first]: tokenAccount({ amount: 0n }) },
    { ...mint, recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: 9n }) },
  );
  const markets = only<Markets>('the markets', { venueOf: () => only<SaleVenue>('a venue') });
  function sending() {
    const [sent, signers]: [string[], string[]] = [[], []];
    const sender = only<Sender>('the sender', {
      price: async () => 0n,
      simulate: async () => ({
        slot: 4_200n,
        error: undefined,
        logs: [],
        unitsConsumed: 1,
        wire: new Uint8Array(),
      }),
      async sign(_instructions, keys) {
        signers.push(...keys.map(({ address }) => address));
        return {
          wire: new Uint8Array(),
          signature: signatures.first,
          lastValidBlockHeight: 9n,
          fee: 5_000n,
        };
      },
      async send({ signature }) {
        sent.push(signature);
      },
    });
    return { sender, sent, signers };
  }
  const look = (purpose: 'split' | 'open' | 'close', sender: Sender, link = burning) =>
    driveLinks(
      stepAt([...courseTo(taxCollected), LinksRecorded({ ...openRecorded.data, purpose, links: [link] })], {
        parts: { chain, markets, sender },
      }),
    );

  test.each([
    'split',
    'open',
  ] as const)('that is refused (%s) has nothing that could take its place', async (purpose) => {
    expect(await look(purpose, refusing)).toMatchObject({
      kind: 'wait',
      waiting: { for: { code: expect.not.stringContaining('scheduled') }, pause: 5_000 },
    });
  });

  test('that was sent is waited for', async () => {
    const { sender, sent } = sending();
    expect(await look('split', sender)).toMatchObject({
      kind: 'wait',
      waiting: { for: { code: 'finality' } },
    });
    expect(sent).toEqual([signatures.first]);
  });

  const revoking = (address: string) =>
    recordLink(
      { number: 1, previous: tills.first, actions: [{ kind: 'revoke', delegate: address, left: '500' }] },
      TOKEN,
    );

  test('that takes back what the key of the run may spend is signed with that key', async () => {
    const { sender, signers } = sending();
    const key = KEYRING.distributorOfRun(runId).address;
    await look('close', sender, revoking(key));
    expect(signers).toContain(key);
  });

  test('that takes it back from another key is not signed', async () => {
    const { sender, sent } = sending();
    const key = KEYRING.distributorOfRun(otherRun).address;
    await expect(look('close', sender, revoking(key))).rejects.toThrow(
      `the key ${key} is not that of the open run`,
    );
    expect(sent).toEqual([]);
  });
});
