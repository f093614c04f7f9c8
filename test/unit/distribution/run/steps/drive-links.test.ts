// Driving the till's links: what landed is recorded, and what is looked for when a recorded link cannot land: late payments, other
// meters, a new quote.
import { describe, expect, test } from 'vitest';
import { recordLink } from '../../../../../src/distribution/links/link-content.ts';
import { payFromPot } from '../../../../../src/distribution/once/meter.ts';
import { createPayingMemory } from '../../../../../src/distribution/paying/paying-memory.ts';
import type { PaymentBook } from '../../../../../src/distribution/paying/payment-book.ts';
import { batchKey } from '../../../../../src/distribution/paying/plan-batches.ts';
import type { OpenPots } from '../../../../../src/distribution/run/closing-pots.ts';
import { decideClosing, driveLinks } from '../../../../../src/distribution/run/steps/drive-links.ts';
import type { Markets, SaleVenue } from '../../../../../src/distribution/selling/sale-venue.ts';
import type { Sender } from '../../../../../src/distribution/sending/sender.ts';
import type { TokenMemory } from '../../../../../src/distribution/token-memory.ts';
import type { Chain, ChainAccount } from '../../../../../src/kernel/ports/chain.ts';
import { LinksLanded, LinksRecorded, type RecordedLink } from '../../../../../src/streams/distribution.ts';
import { RunAllotted } from '../../../../../src/streams/distribution-run.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import {
  delegate,
  files,
  openRecorded,
  plannedBatch,
  pot,
  roundRecorded,
  runAllotted,
  runId,
  saleBasis,
  solPot,
  split,
  taxCollected,
  tills,
} from '../../../../support/distribution-examples.ts';
import { signatures } from '../../../../support/domain-examples.ts';
import { signed } from '../../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../../support/history-entry.ts';
import {
  BOOK,
  closeRecorded,
  counting,
  courseTo,
  halting,
  KEYRING,
  NOW,
  nodeShowing,
  only,
  openLanded,
  recordedBy,
  recordedLinks,
  stepAt,
  TOKEN,
  taxedMint,
  tokenAccount,
  viewOf,
  waiting,
} from '../../../../support/run-examples.ts';

const UNITS = { slot: 4_200n, logs: [], wire: new Uint8Array() };
const refusing = only<Sender>('the sender', {
  price: async () => 0n,
  simulate: async () => ({ ...UNITS, error: '{"InstructionError":[0,{"Custom":1}]}', unitsConsumed: 0 }),
});

interface Scene {
  /** Beside the wallet's own account of the token. */
  readonly accounts: { readonly [address: string]: ChainAccount | undefined };
  readonly node?: Partial<Chain>;
  readonly markets?: Partial<Markets>;
  readonly sender?: Sender;
  readonly now?: Date;
  readonly memory?: Partial<TokenMemory>;
}

/** Drives the recorded link after these events. The chain refuses it, unless another sender is given. */
function driving(
  events: Parameters<typeof stepAt>[0],
  link: RecordedLink,
  { purpose, sale }: Pick<Parameters<typeof LinksRecorded>[0], 'purpose' | 'sale'>,
  { accounts, node, markets, sender = refusing, now = NOW, memory }: Scene,
) {
  const { counted, counts } = counting();
  const recorded = LinksRecorded({ ...openRecorded.data, purpose, links: [link], ...(sale && { sale }) });
  const at = stepAt([...events, recorded], {
    parts: {
      chain: nodeShowing(
        { [TOKEN.tokens]: tokenAccount({ amount: 1_000_000n }), ...accounts },
        {
          epoch: async () => 702n,
          accounts: async () => [taxedMint({ supply: 1_000_000_000n, withheld: 0n })],
          rentExemption: async () => 2_039_280n,
          recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: 9n }),
          ...node,
        },
      ).chain,
      sender,
      markets: only<Markets>('the markets', {
        venueOf: () => only<SaleVenue>('a venue', { signers: () => [] }),
        ...markets,
      }),
      counts,
      clock: { now: () => now },
    },
    memory: { book: { ledger: files.ledger, book: only<PaymentBook>('the book', BOOK) }, ...memory },
  });
  return { decision: driveLinks(at), counted };
}

const later = { kind: 'wait', waiting: { pause: 5_000 } };

describe('in the place of links that close pots', () => {
  const CLOSING = viewOf(courseTo(closeRecorded));
  const [closing] = closeRecorded.data.links as readonly RecordedLink[];
  if (closing === undefined) throw new Error('the example closes a pot');
  const close = (left: string) => ({ kind: 'close' as const, pot, left, rent: '2039280' });
  const why = waitFor('transaction-refused');

  test('come links at what the meters show now', () => {
    const actions = [close('400000')];
    const { rest, links } = recordedLinks(decideClosing(CLOSING, closing, { actions }, why));
    expect(rest).toMatchObject({ runId, purpose: 'close' });
    expect(links).toMatchObject([{ number: 3, previous: tills.third, actions }]);
  });

  test.each<readonly [what: string, left: OpenPots]>([
    ['the meters show what they did', { actions: [close('1000000')] }],
    ['later links are to close further pots', { actions: [close('1000000'), close('7')] }],
    ['no pot is left', { actions: [] }],
    ['one is hidden', { pot, slot: 4_200n, meter: 'missing', value: '1000000' }],
  ])('nothing comes where %s', (_where, left) => {
    expect(decideClosing(CLOSING, closing, left, why)).toEqual({
      kind: 'wait',
      waiting: { for: why, pause: 5_000 },
    });
  });
});

describe('links that close pots and are refused', () => {
  const action = { kind: 'close', pot, left: '90000000', rent: '2039280' } as const;
  const link = recordLink({ number: 3, previous: tills.third, actions: [action] }, TOKEN);
  const inTill = { [tills.third]: tokenAccount({ amount: 10_000_000n }) };
  const signedBefore = { wire: new Uint8Array([1, 2, 3]), signature: signatures.first, fee: 5_000n };
  const landed = { ...signedBefore, slot: 4_150, error: undefined, logs: [] };

  /** `left`: undefined where the node does not show the pot, as often as an absence takes. */
  function look(left: bigint | undefined, isShown = true) {
    const paying = createPayingMemory(4_130n);
    paying.signed.set(batchKey(plannedBatch), {
      transaction: { ...signedBefore, lastValidBlockHeight: 9n },
      before: [],
    });
    const absence = { reads: 20, slot: 4_100n, since: NOW.getTime() - 10_000 };
    const shown = left === undefined ? undefined : tokenAccount({ amount: left, delegate, delegated: left });
    return driving(
      courseTo(roundRecorded),
      link,
      { purpose: 'close' },
      {
        accounts: { ...inTill, [pot]: shown },
        node: {
          signaturesOf: async () => [],
          transaction: async () => (isShown ? landed : undefined),
        },
        memory: { paying, runId: '', absences: new Map([[`the pot ${pot}`, absence]]) },
      },
    );
  }

  test('find the payments that landed after they were planned, so that these are settled', async () => {
    const { decision, counted } = look(0n);
    expect(recordedBy(await decision)).toMatchObject([
      { type: 'BatchesSettled', data: { batches: [{ signature: signatures.first, left: '0' }] } },
    ]);
    expect(counted).toEqual(['link refused']);
  });

  test('wait for a payment that a node does not show', async () => {
    expect(await look(0n, false).decision).toMatchObject({ waiting: { for: { code: 'chain-unavailable' } } });
  });

  test.each([
    ['nothing was paid', 90_000_000n],
    ['their pot is gone: they may have closed it themselves', undefined],
  ])('wait where %s', async (_where, left) => {
    expect(await look(left).decision).toMatchObject(later);
  });

  describe('of which none has an open plan', () => {
    const inSol = { ...solPot, delegate: TOKEN.distributor.address };
    const inTokens = {
      ...solPot,
      asset: 'token',
      address: TOKEN.tokens,
      delegate,
      seed: '',
      allowance: '500',
    };
    const revoked = {
      number: 2,
      previous: null,
      till: tills.third,
      actions: [{ kind: 'revoke' as const, delegate, left: '500' }],
      signature: signatures.second,
      fee: '5000',
    };
    // The approval of the run's key is revoked.
    const events = [
      ...courseTo(openLanded, [
        RunAllotted({ ...runAllotted.data, pots: [inSol, { ...inTokens, asset: 'token' }] }),
      ]),
      LinksLanded({ ...openLanded.data, purpose: 'close', links: [revoked] }),
    ];

    function lookAt(left: bigint) {
      const from = {
        address: pot,
        owner: TOKEN.wallet.address,
        delegate: inSol.delegate,
        asset: { kind: 'sol' },
      } as const;
      const payments = payFromPot(from, BigInt(inSol.allowance), [{ to: TOKEN.mint, amount: 1_000_000n }]);
      const wire = signed(payments, [TOKEN.distributor], TOKEN.mint);
      const searched: string[] = [];
      const account = tokenAccount({ amount: left, delegate: inSol.delegate, delegated: left });
      const { decision } = driving(
        events,
        link,
        { purpose: 'close' },
        {
          accounts: { ...inTill, [pot]: account },
          node: {
            async signaturesOf(address) {
              searched.push(address);
              return address === pot ? [historyEntry(signatures.first, { slot: 4_150 })] : [];
            },
            transaction: async () => ({ ...landed, wire }),
          },
        },
      );
      return { decision, searched };
    }

    test('halt the token where a payment that is in no plan has lowered one', async () => {
      expect(await lookAt(89_000_000n).decision).toMatchObject(
        halting('PAYMENT_UNKNOWN', expect.stringContaining(signatures.first)),
      );
    });

    test('ask nothing of a key whose approval was taken back', async () => {
      const { decision, searched } = lookAt(90_000_000n);
      expect(await decision).toMatchObject(later);
      expect(searched).toEqual([]);
    });
  });
});

describe('a sale', () => {
  test.each([
    ['that is refused is quoted anew', 'meteora', 59_999, [810_000n], ['link refused']],
    ['whose quote is a minute old is quoted anew, unsigned', 'meteora', 60_000, [810_000n], []],
    ['at a fixed price is signed however old its quote is', 'desk', 3_600_000, [810_000n], ['link refused']],
  ] as const)('%s', async (_what, venue, age, quoted, refused) => {
    const actions = split.actions.map((each) => (each.kind === 'sell' ? { ...each, venue } : each));
    const link = recordLink({ number: 1, previous: tills.first, actions }, TOKEN);
    const sale = venue === 'desk' ? undefined : saleBasis;
    const asked: bigint[] = [];
    const { decision, counted } = driving(
      courseTo(taxCollected),
      link,
      { purpose: 'split', sale },
      {
        accounts: { [tills.first]: tokenAccount({ amount: 0n }) },
        now: new Date(Date.parse(saleBasis.at) + age),
        markets: {
          async quote(_token, wanted) {
            asked.push(wanted);
            return { reason: 'pool-empty' };
          },
        },
      },
    );
    // No market takes the tokens now, so they are kept.
    expect(recordedBy(await decision)).toMatchObject([
      { type: 'LinksRecorded', data: { purpose: 'split', unsold: 'pool-empty' } },
    ]);
    expect([asked, counted]).toEqual([quoted, refused]);
  });
});

describe('a link without a sale', () => {
  type Action = RecordedLink['actions'][number];
  const revoking = (address: string): Action => ({ kind: 'revoke', delegate: address, left: '500' });

  function drive(purpose: 'split' | 'open' | 'close', sender: Sender, action: Action) {
    const link = recordLink({ number: 1, previous: tills.first, actions: [action] }, TOKEN);
    const accounts = { [tills.first]: tokenAccount({ amount: 0n }) };
    return driving(courseTo(taxCollected), link, { purpose }, { accounts, sender }).decision;
  }

  function sending() {
    const [sent, signers]: [string[], string[]] = [[], []];
    const sender = only<Sender>('the sender', {
      price: async () => 0n,
      simulate: async () => ({ ...UNITS, error: undefined, unitsConsumed: 1 }),
      async sign(_instructions, keys) {
        signers.push(...keys.map(({ address }) => address));
        return { wire: UNITS.wire, signature: signatures.first, lastValidBlockHeight: 9n, fee: 5_000n };
      },
      async send({ signature }) {
        sent.push(signature);
      },
    });
    return { sender, sent, signers };
  }

  test.each([
    'split',
    'open',
  ] as const)('that is refused (%s) has nothing that could take its place', async (purpose) => {
    expect(await drive(purpose, refusing, { kind: 'burn', amount: '90000' })).toMatchObject(
      waiting(expect.not.stringContaining('scheduled'), undefined, 5_000),
    );
  });

  test('that takes back what the key of the run may spend is signed with that key, sent and waited for', async () => {
    const { sender, sent, signers } = sending();
    const key = KEYRING.distributorOfRun(runId).address;
    expect(await drive('close', sender, revoking(key))).toMatchObject(waiting('finality'));
    expect([signers.includes(key), sent]).toEqual([true, [signatures.first]]);
  });

  test('that takes it back from another key is not signed', async () => {
    const { sender, sent } = sending();
    const key = KEYRING.distributorOfRun('0198c0de-0000-7000-8000-00000000dead').address;
    await expect(drive('close', sender, revoking(key))).rejects.toThrow(
      `the key ${key} does not belong to the open run`,
    );
    expect(sent).toEqual([]);
  });
});
