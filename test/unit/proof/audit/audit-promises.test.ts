// A run is bound to the settings that its creator chose; a change that is recorded while a run is opened is for the next one.
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { createStreamStates } from '../../../../src/proof/audit/log/stream-states.ts';
import { auditPromises } from '../../../../src/proof/audit/promises/audit-promises.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { RunOpened } from '../../../../src/streams/distribution.ts';
import { settingsAtBirth } from '../../../../src/streams/distribution-settings.ts';
import { DraftIssued } from '../../../../src/streams/draft-events.ts';
import { FEATURED_LIST } from '../../../../src/streams/featured-list.ts';
import { type LevyEvent, streams } from '../../../../src/streams/index.ts';
import { DistributionSettingsUpdated } from '../../../../src/streams/token.ts';
import { reportOf } from '../../../support/audit-report.ts';
import { logOf } from '../../../support/comparing.ts';
import { ownersListed, runOpened } from '../../../support/distribution-examples.ts';
import {
  addresses,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFinalized,
  token,
  tokenCreated,
} from '../../../support/domain-examples.ts';
import { EMPTY_CHAIN } from '../../../support/empty-chain.ts';
import { launchStarted, launchSubject } from '../../../support/launch-examples.ts';
import { promotionStarted, purchase } from '../../../support/promotion-examples.ts';
import { type Happening, happening, storedEvents } from '../../../support/recorded-events.ts';

const codec = createEventCodec(streams);
const BEGUN = Date.parse('2026-05-04T10:00:00.000Z');
const { telegramGroupId: _private, ...atBirth } = settingsAtBirth(token);
const CHANGED = atBirth.burnBasisPoints + 100;

/** By the creator, so many seconds after the beginning. */
const told = (
  streamId: string,
  event: LevyEvent,
  seconds: number,
  actor: string = addresses.creator,
): Happening => ({ ...happening(streamId, event, new Date(BEGUN + seconds * 1_000).toISOString()), actor });

async function findingsOf(happened: readonly Happening[], node?: AuditNode) {
  return (await audited(happened, node)).findings.map(({ check, what }) => `${check}: ${what}`);
}

async function audited(happened: readonly Happening[], node?: AuditNode) {
  const log = storedEvents(happened);
  const notebook = createNotebook();
  const visit = auditPromises(node, notebook);
  const states = createStreamStates({ log: logOf(log), codec, streams });
  for (const stored of log) {
    const before = await states.before(stored);
    const event = codec.decode(stored);
    const after = states.apply(before, event);
    await visit({ event, before: before.state, after: after.state, states });
  }
  return reportOf(notebook);
}

const created = told(ids.tokenId, tokenCreated, 0);
const changed = (seconds: number, actor?: string) =>
  told(
    ids.tokenId,
    DistributionSettingsUpdated({
      tokenId: ids.tokenId,
      from: { burnBasisPoints: atBirth.burnBasisPoints },
      to: { burnBasisPoints: CHANGED },
    }),
    seconds,
    actor,
  );
const begun = (change: Partial<typeof runOpened.data> = {}, seconds = 10) =>
  told(ids.tokenId, RunOpened({ ...runOpened.data, ...change }), seconds);
const opened = (seconds: number, settings: Partial<typeof atBirth>) =>
  begun({ settings: { ...atBirth, ...settings } }, seconds);

describe('a run', () => {
  test('may be bound to those of a moment before, that a change has just ended', async () => {
    expect(await findingsOf([created, changed(99), opened(100, {})])).toEqual([]);
  });

  test.each([
    ['that were changed long before', [created, changed(10), opened(100, {})]],
    ['that its creator never chose', [created, changed(99), opened(100, { burnBasisPoints: CHANGED + 1 })]],
  ])('may not be bound to settings %s', async (_which, told) => {
    expect(await findingsOf(told)).toEqual([
      'pinned-settings: a run uses the settings of its creator: burnBasisPoints',
    ]);
  });
});

describe('the wallets that a run pays the developer’s part to', () => {
  test.each([
    ['developerWallets', { developerWallets: [{ wallet: addresses.nonceAccount, basisPoints: 1 }] }],
    ['partnerShare', { partnerShare: { partner: 'acme', wallet: addresses.nonceAccount, basisPoints: 1 } }],
  ])('are those of the settings (%s)', async (name, change) => {
    expect(await findingsOf([created, opened(100, change)])).toContain(
      `pinned-settings: a run uses the settings of its creator: ${name}`,
    );
  });
});

describe('the opening of a run', () => {
  const wrong = async (...happened: readonly Happening[]) =>
    (await findingsOf(happened)).filter((rule) => !rule.includes('settings of its creator'));

  test('may not be opened for another mint, for another wallet or without a token', async () => {
    expect(await wrong(created, begun({ mint: addresses.nonceAccount }))).toEqual([
      'pinned-settings: a run distributes the mint of its token',
    ]);
    expect(await wrong(created, begun({ distributionWallet: addresses.nonceAccount }))).toEqual([
      'pinned-settings: a run is paid by the wallet of its token',
    ]);
    expect(await wrong(begun())).toEqual(['pinned-settings: a run is of a token']);
  });
});

test('settings that somebody else changed are found', async () => {
  expect(await findingsOf([created, changed(10, addresses.mint)])).toEqual([
    'settings: settings are changed by the creator',
  ]);
});

test('the list of owners is made by the creator of its token', async () => {
  const listed = (actor: string) => told(ids.tokenId, ownersListed, 10, actor);
  const rule = 'settings: settings are changed by the creator';
  expect(await findingsOf([created, listed(addresses.creator)])).toEqual([]);
  expect(await findingsOf([created, listed(addresses.mint)])).toEqual([rule]);
  expect(await findingsOf([listed(addresses.creator)])).toEqual([rule]);
});

test('launches are said to be left out where no chain was given, and only there', async () => {
  const skipped = async (node?: AuditNode) =>
    (await audited([], node)).checks.flatMap(({ check, skipped: why }) =>
      why === undefined ? [] : [`${check}: ${why}`],
    );
  expect(await skipped()).toEqual(['launches: no chain was given']);
  expect(await skipped(nodeWith({}))).toEqual([]);
});

/** It shows these accounts and these transactions, and nothing else. */
function nodeWith(shown: {
  readonly account?: Uint8Array;
  readonly owner?: string;
  readonly wire?: Uint8Array;
  readonly error?: string;
}): AuditNode {
  const { account, owner = VENUE, wire, error } = shown;
  return {
    ...EMPTY_CHAIN,
    accounts: async () => [account && { owner, lamports: 1n, data: Buffer.from(account) }],
    transaction: async () => wire && { slot: 1, wire: Buffer.from(wire), fee: 0n, error, logs: [] },
  };
}

const VENUE = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';

describe('a launch', () => {
  const started = told(ids.tokenId, launchStarted, 1);

  /** As the venue stores it. */
  function pool(
    locked: bigint,
    {
      mint = launchSubject.mintAddress,
      quote = 'So11111111111111111111111111111111111111112',
      maker = addresses.creator as string,
    } = {},
  ): Uint8Array {
    const bytes = Buffer.alloc(1_112);
    Buffer.of(241, 154, 109, 4, 17, 177, 109, 188).copy(bytes);
    const address = (text: string, at: number) => new PublicKey(text).toBuffer().copy(bytes, at);
    address(mint, 168);
    address(quote, 200);
    bytes.writeBigUInt64LE(locked & (2n ** 64n - 1n), 552);
    bytes.writeBigUInt64LE(locked >> 64n, 560);
    address(maker, 648);
    return bytes;
  }

  const liquidity = BigInt(launchSubject.liquidity);

  test('is right while its liquidity is locked', async () => {
    expect(await findingsOf([started], nodeWith({ account: pool(liquidity) }))).toEqual([]);
  });

  test.each<[string, Parameters<typeof nodeWith>[0], string]>([
    ['some of it can be taken out', { account: pool(liquidity - 1n) }, 'the liquidity of a launch is locked'],
    [
      'the pool is of another token',
      { account: pool(liquidity, { mint: addresses.nonceAccount }) },
      'a pool is of the launched token',
    ],
    [
      'the pool is paid in another token',
      { account: pool(liquidity, { quote: addresses.nonceAccount }) },
      'a pool is paid in SOL',
    ],
    [
      'somebody else made the pool',
      { account: pool(liquidity, { maker: addresses.otherCreator }) },
      "a pool is the creator's",
    ],
    ['there is no pool', {}, 'a launch has its pool'],
    ['the pool is too short', { account: pool(liquidity).subarray(0, 1_111) }, 'a launch has its pool'],
    [
      'the account is no pool',
      { account: pool(liquidity), owner: addresses.creator },
      'a launch has its pool',
    ],
  ])('is found when %s', async (_what, shown, rule) => {
    expect(await findingsOf([started], nodeWith(shown))).toEqual([`launches: ${rule}`]);
  });
});

describe('a promotion', () => {
  const transactionId = ids.transactionId;
  const ofDraft = (event: LevyEvent) => told(transactionId, event, 1);
  const paid = [
    DraftIssued({ ...issuedDraft, subject: purchase }),
    submissionAccepted,
    submissionConfirmed,
  ].map(ofDraft);
  const started = (signature: string) => told(FEATURED_LIST, promotionStarted({ signature }), 2);

  function payment(lamports: number, to = purchase.treasury, from: string = addresses.creator): Uint8Array {
    const feePayer = new PublicKey(from);
    const transaction = new Transaction({
      feePayer,
      blockhash: addresses.nonceValue,
      lastValidBlockHeight: 1,
    });
    transaction.add(SystemProgram.transfer({ fromPubkey: feePayer, toPubkey: new PublicKey(to), lamports }));
    return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
  }

  const price = Number(purchase.price);
  const final = started(submissionFinalized.data.signature);
  const settled = [...paid, ofDraft(submissionFinalized), final];
  const other = started('Q'.repeat(88));
  const PAID = 'a promotion was paid for';
  const FINAL = 'a promotion starts when its payment is final';
  const NAMES = 'a promotion names its payment';

  test.each<[string, readonly Happening[], Parameters<typeof nodeWith>[0], string]>([
    ['less than its price was paid', settled, { wire: payment(price - 1) }, PAID],
    ['somebody else was paid', settled, { wire: payment(price, addresses.mint) }, PAID],
    ['its payment failed', settled, { wire: payment(price), error: '{"Custom":1}' }, PAID],
    [
      'another wallet paid',
      settled,
      { wire: payment(price, purchase.treasury, addresses.otherCreator) },
      PAID,
    ],
    ['its payment is not final', [...paid, final], { wire: payment(price) }, FINAL],
    ['it names another payment', [...settled.slice(0, -1), other], { wire: payment(price) }, NAMES],
  ])('is found when %s', async (_what, log, shown, rule) => {
    expect(await findingsOf(log, nodeWith(shown))).toEqual([`promotions: ${rule}`]);
  });

  test('is right when its payment is final', async () => {
    expect(await findingsOf(settled, nodeWith({ wire: payment(price) }))).toEqual([]);
  });
});
