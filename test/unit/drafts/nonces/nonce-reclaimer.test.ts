// Nonce accounts come back from drafts that are over, and from no other: by the drafts as they are, and by what the chain shows.
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createNonceLeases } from '../../../../src/drafts/nonces/nonce-leases.ts';
import type { NoncePool } from '../../../../src/drafts/nonces/nonce-pool.ts';
import { createNonceReclaimer, judgeLease } from '../../../../src/drafts/nonces/nonce-reclaimer.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import {
  DraftAbandoned,
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftIssued,
  DraftSuperseded,
} from '../../../../src/streams/draft-events.ts';
import { NonceAccountOpened, NonceLeased } from '../../../../src/streams/nonce-account.ts';
import { blockhashIssued } from '../../../support/blockhash-examples.ts';
import {
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../../support/domain-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';
import { draftsOnRecord, undecodableAt } from '../../../support/drafts-on-record.ts';
import { nonceAccountOf } from '../../../support/nonce-account-shown.ts';

const CLAIM_LAPSE = 30_000;
const AFTER_EXPIRY = 5 * 60_000;
const [VALUE, NEXT, LATER] = [addresses.nonceValue, addresses.nextNonceValue, addresses.creator];
const ACCOUNTS: readonly string[] = [addresses.nonceAccount, addresses.otherNonceAccount];
const idOf = (name: string) => deriveId('draft', name);

/** What the chain shows of an account: its value, or two of them, of which only the first is final. */
type Shown = string | undefined | { readonly finalized: string | undefined; readonly confirmed: string };

/** Each draft leases an account of its own; `events`: what else is recorded of it. */
async function keeping(drafts: readonly { readonly events: readonly DraftEvent[]; readonly shown: Shown }[]) {
  const world = await draftsOnRecord();
  const asked: string[] = [];
  for (const [index, { events }] of drafts.entries()) {
    const [account = '', transactionId] = [ACCOUNTS[index], idOf(`${index}`)];
    await world.recordNonce(
      account,
      NonceAccountOpened({ account, index, value: VALUE }),
      NonceLeased({ account, transactionId, value: VALUE }),
    );
    if (events.length > 0) await world.record(transactionId, ...events);
  }
  const chain: Pick<Chain, 'accounts'> = {
    async accounts(addressesAsked, commitment) {
      asked.push(`${commitment} ${addressesAsked.length}`);
      return addressesAsked.map((address) => {
        const shown = drafts[ACCOUNTS.indexOf(address)]?.shown;
        const value = typeof shown === 'object' ? shown[commitment] : shown;
        return value === undefined ? undefined : nonceAccountOf(value);
      });
    },
  };
  const foreign: string[] = [];
  const foreignAdvances = { record: (account: string) => void foreign.push(account) };
  const parts = { ...world, chain: chain as Chain, foreignAdvances };
  const leases = createNonceLeases({ ...parts, keyring: createKeyring(new Uint8Array(32).fill(7)) });
  const keeper = createNonceReclaimer({
    ...parts,
    nonces: leases as unknown as NoncePool,
    claimLapse: CLAIM_LAPSE,
  });
  return { ...world, ...keeper, asked, foreign, keeper, parts, leases };
}

const issuedTo = (name: string) =>
  DraftIssued({
    ...issuedDraft,
    transactionId: idOf(name),
    lifetime: { kind: 'durable-nonce', nonceAccount: ACCOUNTS[Number(name)] ?? '', nonceValue: VALUE },
  });
const of = <Event extends { readonly data: object }>(name: string, event: Event): Event => ({
  ...event,
  data: { ...event.data, transactionId: idOf(name) },
});
const landed = [issuedTo('0'), of('0', submissionAccepted), of('0', submissionFinalized)];

describe('an account whose draft is over unsent', () => {
  test('comes back with its value, and the draft is recorded as expired first', async () => {
    const at = await keeping([{ events: [issuedTo('0')], shown: VALUE }]);
    await at.tidy();
    expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ lease: idOf('0') });
    expect(at.asked).toEqual([]);
    at.later(AFTER_EXPIRY);
    await at.tidy();
    expect(await at.eventsOf(idOf('0'))).toEqual(['DraftIssued', 'DraftExpired']);
    expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ lease: undefined, value: VALUE });
    expect(at.asked).toEqual(['confirmed 1']);
  });

  test.each<[string, Shown, string, string | undefined]>([
    ['comes back with the new value where its value was spent all the same', NEXT, NEXT, undefined],
    [
      'stays leased while the new value is not final: a fork may take it back',
      { confirmed: NEXT, finalized: VALUE },
      VALUE,
      idOf('0'),
    ],
    [
      'comes back with the final value, not with the latest',
      { confirmed: LATER, finalized: NEXT },
      NEXT,
      undefined,
    ],
    ['stays leased while no node shows it', undefined, VALUE, idOf('0')],
  ])('%s', async (_rule, shown, value, lease) => {
    const cancelled = DraftCancelled({ transactionId: idOf('0') });
    const at = await keeping([{ events: [issuedTo('0'), cancelled], shown }]);
    await at.tidy();
    expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ value, lease });
    // The value of a draft that was never sent: only another service of the seed can have spent it.
    expect(at.foreign).toEqual(value === VALUE ? [] : [ACCOUNTS[0]]);
  });
});

describe('an account whose draft has landed', () => {
  test.each<[string, Shown, string, string | undefined]>([
    ['comes back with the value that is final', NEXT, NEXT, undefined],
    ['stays leased while the node shows the spent value', VALUE, VALUE, idOf('0')],
    ['stays leased while the node does not show it', undefined, VALUE, idOf('0')],
  ])('%s', async (_rule, shown, value, lease) => {
    const at = await keeping([{ events: landed, shown }]);
    await at.tidy();
    expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ value, lease });
    expect(at.asked).toEqual(['finalized 1']);
    expect(at.foreign).toEqual([]);
  });
});

test('a lease whose draft was never recorded lapses after the time for it, and not before', async () => {
  const at = await keeping([{ events: [], shown: VALUE }]);
  at.later(CLAIM_LAPSE - 1);
  await at.tidy();
  expect(await at.eventsOf(idOf('0'))).toEqual([]);
  expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ lease: idOf('0') });
  at.later(1);
  await at.tidy();
  expect(await at.eventsOf(idOf('0'))).toEqual(['DraftAbandoned']);
  expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ lease: undefined });
});

test('a lease that was made anew while a round went on stays with its draft', async () => {
  const account = ACCOUNTS[0] ?? '';
  const at = await keeping([{ events: [], shown: VALUE }]);
  at.later(CLAIM_LAPSE);
  const { accounts } = at.parts.chain;
  const keeper = createNonceReclaimer({
    ...at.parts,
    chain: {
      ...at.parts.chain,
      async accounts(...asked) {
        await at.recordNonce(account, NonceLeased({ account, transactionId: idOf('0'), value: VALUE }));
        return accounts(...asked);
      },
    },
    nonces: at.leases as unknown as NoncePool,
    claimLapse: CLAIM_LAPSE,
  });
  await keeper.tidy();
  expect(await at.nonceOf(account)).toMatchObject({ lease: idOf('0') });
});

test('an account whose draft cannot be decoded stays leased, and the others are tidied', async () => {
  const cancelled = DraftCancelled({ transactionId: idOf('1') });
  const at = await keeping([
    { events: [issuedTo('0')], shown: VALUE },
    { events: [issuedTo('1'), cancelled], shown: VALUE },
  ]);
  const keeper = createNonceReclaimer({
    ...at.parts,
    executor: undecodableAt(at.executor, idOf('0')),
    nonces: at.leases as unknown as NoncePool,
    claimLapse: CLAIM_LAPSE,
  });
  at.later(AFTER_EXPIRY);
  await keeper.tidy();
  expect(await at.nonceOf(ACCOUNTS[0] ?? '')).toMatchObject({ lease: idOf('0') });
  expect(await at.nonceOf(ACCOUNTS[1] ?? '')).toMatchObject({ lease: undefined });
});

describe('a leased account, by the draft that leases it', () => {
  const { transactionId } = ids;
  const account = addresses.nonceAccount;
  const abandoned = DraftAbandoned({ transactionId });
  const accepted = [draftIssued, submissionAccepted];

  test.each<[string, 'keep' | 'give-back' | 'renew', readonly DraftEvent[]]>([
    ['waits to be signed', 'keep', [draftIssued]],
    ['was submitted', 'keep', accepted],
    ['was confirmed', 'keep', [...accepted, submissionConfirmed]],
    ['may be under way, its issue being quarantined', 'keep', [submissionAccepted]],
    ['was superseded', 'give-back', [draftIssued, DraftSuperseded({ transactionId, by: transactionId })]],
    ['has expired', 'give-back', [draftIssued, DraftExpired({ transactionId })]],
    ['was cancelled', 'give-back', [draftIssued, DraftCancelled({ transactionId })]],
    ['has landed: its value is spent', 'renew', [...accepted, submissionFinalized]],
    ['has failed: its value is spent', 'renew', [...accepted, submissionFailed]],
  ])('an account whose draft %s: %s', (_how, judgement, events) => {
    for (const hasLapsed of [false, true])
      expect(judgeLease(draftAfter(...events), { account, hasLapsed })).toBe(judgement);
  });

  test('of two accounts that a draft has leased, the one that it was recorded without is given back', () => {
    for (const state of [draftAfter(...accepted), draftAfter(blockhashIssued)])
      expect(judgeLease(state, { account: addresses.otherNonceAccount, hasLapsed: false })).toBe('give-back');
  });

  test('an account of a draft that is not recorded is given back once the draft was abandoned and this very lease has lapsed', () => {
    expect(judgeLease(draftAfter(abandoned), { account, hasLapsed: true })).toBe('give-back');
    expect(judgeLease(draftAfter(abandoned), { account, hasLapsed: false })).toBe('keep');
    expect(judgeLease(draftAfter(), { account, hasLapsed: true })).toBe('keep');
  });
});
