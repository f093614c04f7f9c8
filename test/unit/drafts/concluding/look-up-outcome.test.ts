// What is looked up before an operator's word counts: the end of the bytes, the accounts that tell a landing, and the
// transaction that is said to be the draft's.
import { base58, compileLegacyMessage, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import type { OutcomeClaim } from '../../../../src/drafts/concluding/decide-conclusion.ts';
import { lookUpOutcome } from '../../../../src/drafts/concluding/look-up-outcome.ts';
import type {
  Chain,
  ChainAccount,
  LandedTransaction,
  SignatureStatus,
} from '../../../../src/kernel/ports/chain.ts';
import {
  type DraftEvent,
  DraftIssued,
  type IssuedDraft,
  SubmissionAccepted,
  SubmissionOverdue,
} from '../../../../src/streams/draft-events.ts';
import { blockhashDraft } from '../../../support/blockhash-examples.ts';
import { acceptedSubmission, addresses, ids, issuedDraft } from '../../../support/domain-examples.ts';
import { livingAfter } from '../../../support/draft-stages.ts';
import { messageNaming, wireOf } from '../../../support/landed-bytes.ts';
import { issuedLaunchDraft, launchSubject } from '../../../support/launch-examples.ts';
import { nonceAccountOf } from '../../../support/nonce-account-shown.ts';
import { purchase } from '../../../support/promotion-examples.ts';
import { issuedLaunch, recordedLaunchDraft } from '../../chain/venue/launch-example.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const { transactionId } = ids;
const keyring = createKeyring(new Uint8Array(32).fill(7));
/** Any key will do for the creator. */
const payer = keyring.treasury;
const { nonceAccount, nonceValue, nextNonceValue } = addresses;

function messageFor(recentBlockhash: string): Uint8Array {
  return compileLegacyMessage({ payer: payer.address, recentBlockhash, instructions: [] }).bytes;
}
const message = messageFor(addresses.mint);
const wire = (of: Uint8Array) => Buffer.concat([Buffer.of(1), payer.sign(of), of]);
const signature = base58(payer.sign(message));

const account = (owner: string, data: Uint8Array = new Uint8Array()): ChainAccount => ({
  owner,
  lamports: 1n,
  data,
});
const mint = addresses.mint;
const mintMade = { [mint]: account(TOKEN_2022_PROGRAM) };
const spent = { [nonceAccount]: nonceAccountOf(nextNonceValue) };

interface World {
  readonly accounts?: Readonly<Record<string, ChainAccount>>;
  /** What another node shows; the same if left out. */
  readonly elsewhere?: Readonly<Record<string, ChainAccount>>;
  readonly transaction?: Partial<LandedTransaction>;
  readonly status?: Partial<SignatureStatus>;
  /** The signature that has this status; every one if left out. */
  readonly statusOf?: string;
  readonly height?: bigint;
}

async function lookUp(
  issued: IssuedDraft,
  { accounts = {}, elsewhere = accounts, transaction, status, statusOf, height = 2_000n }: World,
  claim: OutcomeClaim = { outcome: 'not-landed' },
  isAccepted = true,
  rest: readonly DraftEvent[] = [],
) {
  const submitted = SubmissionAccepted({
    ...acceptedSubmission,
    signedTransaction: wire(message).toString('base64'),
  });
  const events = [DraftIssued(issued), ...(isAccepted ? [submitted] : []), ...rest];
  const state = livingAfter(...events);
  const chain: Pick<Chain, 'tip' | 'accountsAt' | 'statuses' | 'transaction'> = {
    tip: async () => ({ slot: 5_000n, blockHeight: height }),
    accountsAt: async (asked, _commitment, options) => ({
      slot: 5_000n,
      accounts: asked.map((address) => (options?.elsewhere === true ? elsewhere : accounts)[address]),
    }),
    statuses: async (asked) =>
      asked.map((each) =>
        status !== undefined && (statusOf === undefined || statusOf === each)
          ? { slot: 4_900, error: undefined, commitment: 'finalized', ...status }
          : undefined,
      ),
    transaction: async () =>
      transaction && {
        slot: 4_900,
        wire: wire(message),
        fee: 5_000n,
        error: undefined,
        logs: [],
        ...transaction,
      },
  };
  return lookUpOutcome(chain, state, claim);
}

const landed: OutcomeClaim = { outcome: 'landed', signature, slot: undefined };
const payment: IssuedDraft = { ...blockhashDraft, subject: purchase };

describe('the end of the bytes', () => {
  test('on a nonce, it is the end of its value, as all nodes show it', async () => {
    const unspent = { [nonceAccount]: nonceAccountOf(nonceValue) };
    expect(await lookUp(issuedDraft, { accounts: spent })).toMatchObject({ isOver: true });
    expect(await lookUp(issuedDraft, { accounts: unspent })).toMatchObject({ isOver: false });
    expect(await lookUp(issuedDraft, { accounts: spent, elsewhere: unspent })).toMatchObject({
      isOver: false,
    });
    expect(await lookUp(issuedDraft, {})).toMatchObject({ isOver: false });
  });

  test('on a recent blockhash, it is a final block past its last one', async () => {
    expect(await lookUp(payment, { height: 1_000n })).toMatchObject({ isOver: false });
    expect(await lookUp(payment, { height: 1_001n })).toMatchObject({ isOver: true });
  });
});

describe('what only its message can make', () => {
  test('a creation makes its mint, on a nonce as on a blockhash; one node that shows it is enough', async () => {
    for (const issued of [issuedDraft, blockhashDraft]) {
      expect(await lookUp(issued, { accounts: { ...spent, ...mintMade } })).toMatchObject({ made: 'yes' });
      expect(await lookUp(issued, { accounts: spent, elsewhere: mintMade })).toMatchObject({ made: 'yes' });
      expect(await lookUp(issued, { accounts: spent })).toMatchObject({ made: 'no' });
      // Anybody may send lamports to its address.
      const lamports = { ...spent, [mint]: account(SYSTEM_PROGRAM) };
      expect(await lookUp(issued, { accounts: lamports })).toMatchObject({ made: 'no' });
    }
  });

  test('a launch has made its pool and its position; a pool whose position was closed tells nothing', async () => {
    const issued = recordedLaunchDraft;
    const { poolAddress } = issuedLaunch;
    const pool = { [poolAddress]: recorded('pool-at-start') };
    const position = { [launchSubject.positionAddress]: recorded('position') };
    expect(await lookUp(issued, { accounts: { ...pool, ...position } }, undefined, false)).toMatchObject({
      made: 'yes',
    });
    expect(await lookUp(issued, { accounts: pool }, undefined, false)).toMatchObject({ made: 'untold' });
    expect(await lookUp(issued, { accounts: position }, undefined, false)).toMatchObject({ made: 'no' });
    // Of two nodes that differ, the one that shows more is believed.
    expect(await lookUp(issued, { accounts: {}, elsewhere: pool }, undefined, false)).toMatchObject({
      made: 'untold',
    });
  });
});

describe('the transaction that is said to be the draft’s', () => {
  test.each<[string, World, object]>([
    ['is shown, final and with success', { transaction: {} }, { kind: 'shown', slot: '4900' }],
    ['has failed', { transaction: { error: '"x"' } }, { kind: 'failed', error: '"x"' }],
    ['is another', { transaction: { wire: wire(messageFor(nonceValue)) } }, { kind: 'another' }],
    ['is not shown, with a status', { status: {} }, { kind: 'not-shown', slot: '4900', isSigned: true }],
    ['is not shown, and failed', { status: { error: '"x"' } }, { kind: 'failed', error: '"x"' }],
    [
      'is not shown, and failed in a block that is not final',
      { status: { error: '"x"', commitment: 'confirmed' } },
      { kind: 'not-shown', slot: undefined, isSigned: true },
    ],
    [
      'is not shown, and not final',
      { status: { commitment: 'confirmed' } },
      { kind: 'not-shown', slot: undefined, isSigned: true },
    ],
    ['is not shown', {}, { kind: 'not-shown', slot: undefined, isSigned: true }],
  ])('%s', async (_how, world, claimed) => {
    expect(await lookUp(payment, world, landed)).toMatchObject({ claimed });
    // On a nonce a payment has no key of its own.
    for (const subject of [issuedDraft.subject, purchase])
      expect(await lookUp({ ...issuedDraft, subject }, { ...world, accounts: spent }, landed)).toMatchObject({
        claimed,
      });
  });

  test('is another one where it is the advance that was to kill it, or where nothing was accepted', async () => {
    const advance = messageFor(nonceValue);
    const overdue = SubmissionOverdue({
      transactionId,
      advanceSignature: signature,
      advanceTransaction: wire(advance).toString('base64'),
    });
    const claimed = { kind: 'another' };
    const world = { accounts: spent, transaction: { wire: wire(advance) } };
    expect(await lookUp(issuedDraft, world, landed, true, [overdue])).toMatchObject({ claimed });
    for (const issued of [issuedDraft, payment])
      expect(await lookUp(issued, { accounts: spent, transaction: {} }, landed, false)).toMatchObject({
        claimed,
      });
  });

  test('of a launch is whatever the key of its position has signed, and nothing else', async () => {
    const position = keyring.position(transactionId);
    const issued: IssuedDraft = {
      ...issuedLaunchDraft,
      subject: { ...launchSubject, positionMint: position.address },
    };
    const signed = wireOf(messageNaming(position.address, { payer: payer.address, signer: true }), 2);
    expect(await lookUp(issued, { transaction: { wire: signed } }, landed, false)).toMatchObject({
      claimed: { kind: 'shown', slot: '4900' },
    });
    expect(await lookUp(issued, { transaction: {} }, landed, false)).toMatchObject({
      claimed: { kind: 'another' },
    });
  });
});

test('the known signature speaks against "not landed" once it is final and succeeded', async () => {
  expect(await lookUp(payment, { status: {} })).toMatchObject({ recordedHasSucceeded: true });
  expect(await lookUp(payment, { status: { commitment: 'confirmed' } })).toMatchObject({
    recordedHasSucceeded: false,
  });
  expect(await lookUp(payment, { status: { error: '"x"' } })).toMatchObject({ recordedHasSucceeded: false });
});
