// The command that makes drafts: what it asks of the chain, what it refuses before anything is taken, what is recorded, and
// what a repeated call gets.
import { Type } from '@sinclair/typebox';
import { Message } from '@solana/web3.js';
import { MEMO_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { defineDraft } from '../../../src/drafts/define-draft.ts';
import type { SentBy } from '../../../src/drafts/draft-plan.ts';
import { tokenCreation } from '../../../src/drafts/purposes/token-creation-behaviour.ts';
import type { DraftServices } from '../../../src/drafts/services.ts';
import type { Simulation } from '../../../src/kernel/ports/chain.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { commandIdFor, deriveId } from '../../../src/kernel/runtime/ids.ts';
import { createCommandRunner } from '../../../src/kernel/runtime/run-command.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  DraftAbandoned,
  type DraftEvent,
  DraftExpired,
  DraftIssued,
  type IssuedDraft,
  SubmissionAccepted,
} from '../../../src/streams/draft-events.ts';
import { type DraftState, issuedOf } from '../../../src/streams/draft-state.ts';
import { streams } from '../../../src/streams/index.ts';
import { rejection } from '../../../src/streams/rejections.ts';
import { causeOf } from '../../support/counter.ts';
import { acceptedSubmission, addresses, issuedDraft, token } from '../../support/domain-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const START = '2026-05-04T10:00:00.000Z';
const [PAYMENTS, WALLET_RENT] = [1_000_000n, 890_880n];
/** Units that the simulation takes; with the nonce advance and the margin, 67,688 are allowed. */
const UNITS = 50_000;
/** At 1,000 microlamports a unit, for 67,688 of them. */
const PRIORITY = 68n;
const FIVE_MINUTES = 300_000;
const KEY = { actor: addresses.creator, requestId: 'request', idempotencyKey: 'one' };
const ID = deriveId('draft', commandIdFor(addresses.creator, 'POST /create', 'one'));
const OTHER = deriveId('draft', 'another');
const ERROR = '{"InstructionError":[2,{"Custom":1}]}';

interface World {
  readonly lifetime?: IssuedDraft['lifetime']['kind'];
  readonly sentBy?: SentBy;
  readonly balance?: bigint;
  readonly simulation?: Partial<Simulation>;
  readonly prices?: readonly bigint[];
  /** Milliseconds; undefined while the chain does not tell. */
  readonly slot?: number | undefined;
  /** Others of the wallet, as the read model has them. */
  readonly open?: readonly {
    readonly expiresAt: string;
    readonly walletId?: string;
    readonly transactionId?: string;
    readonly createdAt?: string;
  }[];
  readonly isStoreAway?: boolean;
  readonly isUnfunded?: boolean;
  readonly claim?: () => Promise<void>;
  /** Recorded of the draft before it is made, and while it is. */
  readonly before?: readonly DraftEvent[];
  readonly meanwhile?: readonly DraftEvent[];
}

async function issuing(given: World = {}) {
  const { lifetime = 'durable-nonce', sentBy = 'service', balance = 10n ** 12n, prices = [5_000n] } = given;
  const slot = 'slot' in given ? given.slot : 400;
  let now = Date.parse(START);
  let [leases, returns] = [0, 0];
  const asked: string[] = [];
  const clock = { now: () => new Date(now) };
  const store = await temporaryEventStore();
  const executor = createExecutor(store, createEventCodec(streams), clock);
  const record = (...events: readonly DraftEvent[]) => executor.execute(draft, ID, causeOf(), () => events);
  const stateOf = async (id = ID): Promise<DraftState> => (await executor.load(draft, id)).state;
  if (given.before !== undefined) await record(...given.before);
  const services = {
    executor,
    clock,
    keyring,
    policy: {
      draftLifetimeKind: lifetime,
      draftLifetimeMs: FIVE_MINUTES,
      openDraftsPerWallet: 2,
      priorityFeeMax: 1_000n,
    },
    async readModelsCaughtUp() {
      asked.push('read models');
      if (given.isStoreAway) throw new Error('away');
    },
    readModel: {
      async find(_projection: object, index: string, value: string) {
        return index === 'open' && value === addresses.creator
          ? (given.open ?? []).map(({ expiresAt, walletId = token.walletId, transactionId, createdAt }) => ({
              transactionId,
              createdAt,
              issued: { expiresAt, subject: { ...token, walletId } },
            }))
          : [];
      },
    },
    slotTime: { measured: async () => slot, latest: () => slot },
    chain: {
      rentExemption: async () => WALLET_RENT,
      recentPrices: async (writable: readonly string[]) => (writable.length === 1 ? prices : []),
      balance: async () => balance,
      async recentBlockhash() {
        return { blockhash: addresses.nonceValue, lastValidBlockHeight: 1_000n };
      },
      tip: async () => ({ slot: 1n, blockHeight: 850n }),
      async simulate(_wire: Uint8Array, how: object) {
        asked.push('simulate');
        expect(how).toEqual({ anyBlockhash: true });
        return { slot: 1n, error: undefined, logs: [], unitsConsumed: UNITS, ...given.simulation };
      },
    },
    nonces: {
      async requireFunded() {
        if (given.isUnfunded) throw rejection('SERVICE_UNFUNDED', 'It needs SOL.');
      },
      async lease() {
        leases += 1;
        return {
          account: addresses.nonceAccount,
          value: addresses.nonceValue,
          giveBack: async () => {
            returns += 1;
          },
        };
      },
    },
  } as unknown as DraftServices;
  const { meanwhile } = given;
  const claim = meanwhile === undefined ? given.claim : async () => void (await record(...meanwhile));
  const command = defineDraft({
    name: 'CreateExample',
    summary: '',
    description: '',
    route: { url: '/create', limit: 'create-unsigned' },
    input: { body: Type.Object({}) },
    output: Type.Object({ message: Type.String() }),
    rejections: ['WALLET_ALREADY_USED', 'CHAIN_REJECTED'],
    sentBy,
    purpose: tokenCreation,
    plan: async () => ({
      subject: token,
      instructions: [{ program: MEMO_PROGRAM, accounts: [], data: Buffer.from('a memo') }],
      payments: PAYMENTS,
      writable: [addresses.mint],
      ...(claim === undefined ? {} : { claim }),
    }),
    replaces: (_subject, other) => 'walletId' in other && other.walletId === 'replaced',
    answer: ({ message }) => ({ message }),
  });
  const run = createCommandRunner(executor, services);
  const call = (by: Parameters<typeof command.run>[2] = KEY) =>
    command.run(run, { params: {}, query: {}, body: {} }, by).then(
      ({ output, position }) => ({
        message: (output as { message: string }).message,
        position,
        refusal: undefined,
      }),
      (refusal) => ({ message: undefined, position: undefined, refusal }),
    );
  return {
    command,
    asked,
    call,
    stateOf,
    /** Another draft of the wallet, in the log. */
    recordOther: () =>
      executor.execute(draft, OTHER, causeOf(), () => [
        DraftIssued({ ...issuedDraft, transactionId: OTHER }),
      ]),
    positionOf: async (id: string) => (await executor.load(draft, id)).events.at(-1)?.position,
    issued: async () => issuedOf(await stateOf()),
    leases: () => [leases, returns],
    later(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const in5Minutes = new Date(Date.parse(START) + FIVE_MINUTES).toISOString();
const instructionsOf = ({ message }: Pick<IssuedDraft, 'message'>) =>
  Message.from(Buffer.from(message, 'base64')).instructions.length;

describe('a draft', () => {
  test('on a durable nonce costs what is paid, three signatures and the price of its units, and lives five minutes', async () => {
    const at = await issuing();
    expect((await at.call()).refusal).toBeUndefined();
    const issued = await at.issued();
    expect(issued).toMatchObject({
      transactionId: ID,
      creator: addresses.creator,
      cost: (PAYMENTS + 15_000n + PRIORITY).toString(),
      lifetime: {
        kind: 'durable-nonce',
        nonceAccount: addresses.nonceAccount,
        nonceValue: addresses.nonceValue,
      },
      expiresAt: in5Minutes,
    });
    // The advance, the limit, the price, and what it is for.
    expect(issued && instructionsOf(issued)).toBe(4);
    expect(at.leases()).toEqual([1, 0]);
  });

  test('on a recent blockhash costs a signature less, and lives as long as that', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    await at.call();
    const issued = await at.issued();
    expect(issued).toMatchObject({
      cost: (PAYMENTS + 10_000n + PRIORITY).toString(),
      lifetime: { kind: 'recent-blockhash', blockhash: addresses.nonceValue, lastValidBlockHeight: '1000' },
      // 150 blocks of 400 milliseconds.
      expiresAt: '2026-05-04T10:01:00.000Z',
    });
    expect(issued && instructionsOf(issued)).toBe(3);
    expect(at.leases()).toEqual([0, 0]);
  });

  test.each([
    { sentBy: 'client' },
    { lifetime: 'recent-blockhash' },
  ] as const)('lives as long as its blockhash, by the usual length of a slot where the node measures none: %j', async (how) => {
    const at = await issuing({ ...how, slot: 200 });
    await at.call();
    expect(await at.issued()).toMatchObject({
      lifetime: { kind: 'recent-blockhash' },
      expiresAt: '2026-05-04T10:00:30.000Z',
    });
    const unknown = await issuing({ ...how, slot: undefined });
    await unknown.call();
    expect(await unknown.issued()).toMatchObject({ expiresAt: '2026-05-04T10:01:00.000Z' });
  });

  test.each([
    [1, 55_188],
    [4_000_000_000, 505_188],
  ])('may not use what no simulation takes: %i units', async (unitsConsumed, limit) => {
    const at = await issuing({ prices: [1_000n], simulation: { unitsConsumed } });
    await at.call();
    const priority = BigInt(Math.ceil(limit / 1_000));
    expect((await at.issued())?.cost).toBe((PAYMENTS + 15_000n + priority).toString());
  });
});

describe('a wallet', () => {
  test.each([
    [0n, 'INSUFFICIENT_FUNDS'],
    [PAYMENTS + 15_000n + WALLET_RENT - 1n, 'INSUFFICIENT_FUNDS'],
    [PAYMENTS + 15_000n + WALLET_RENT, 'CHAIN_REJECTED'],
  ])('that holds %i is told of what it lacks before it is told of a simulation that failed', async (balance, code) => {
    const at = await issuing({ balance, simulation: { error: ERROR } });
    expect((await at.call()).refusal).toMatchObject({ code });
  });

  const others = (count: number, fields: { readonly expiresAt?: string; readonly walletId?: string } = {}) =>
    Array.from({ length: count }, () => ({ expiresAt: in5Minutes, ...fields }));

  test.each<[string, World, string | undefined]>([
    ['one open draft may have another', { open: others(1) }, undefined],
    ['two may not', { open: others(2) }, 'TOO_MANY_DRAFTS'],
    [
      'two of which one is over by now may',
      { open: [...others(1), ...others(1, { expiresAt: START })] },
      undefined,
    ],
    [
      'two of which this one replaces one may',
      { open: [...others(1), ...others(1, { walletId: 'replaced' })] },
      undefined,
    ],
    [
      'two of which this one replaces both may not have a third: one of them was not ended',
      { open: [...others(1), ...others(2, { walletId: 'replaced' })] },
      'TOO_MANY_DRAFTS',
    ],
    ['two may, of those that it sends itself', { open: others(2), sentBy: 'client' }, undefined],
    ['none is not counted while the store does not answer', { isStoreAway: true }, 'STORE_UNAVAILABLE'],
  ])('with %s', async (_what, world, code) => {
    const at = await issuing(world);
    const { refusal } = await at.call();
    expect(refusal?.code).toBe(code);
    if (code !== undefined) expect([at.asked, at.leases()]).toEqual([['read models'], [0, 0]]);
  });
});

describe('nothing is taken for a draft', () => {
  test('on a nonce while the service lacks funds; on a blockhash it needs none', async () => {
    const at = await issuing({ isUnfunded: true });
    expect((await at.call()).refusal).toMatchObject({ code: 'SERVICE_UNFUNDED' });
    expect(at.leases()).toEqual([0, 0]);
    const free = await issuing({ isUnfunded: true, lifetime: 'recent-blockhash' });
    expect((await free.call()).refusal).toBeUndefined();
  });

  test('whose claim is refused: its nonce account comes back', async () => {
    const at = await issuing({
      claim: async () => {
        throw rejection('WALLET_ALREADY_USED', 'It is taken.');
      },
    });
    expect((await at.call()).refusal).toMatchObject({ code: 'WALLET_ALREADY_USED' });
    expect([at.leases(), (await at.stateOf()).status]).toEqual([[1, 1], 'absent']);
  });
});

describe('a repeated call', () => {
  test.each([
    'durable-nonce',
    'recent-blockhash',
  ] as const)('gets what it made as it was, over or not, and takes nothing again, on a %s', async (lifetime) => {
    const at = await issuing({ lifetime });
    const first = await at.call();
    const taken = at.leases();
    at.later(FIVE_MINUTES + 1);
    expect((await at.call()).message).toBe(first.message);
    expect([at.leases(), at.asked]).toEqual([taken, ['read models', 'simulate']]);
  });
});

describe('an attempt', () => {
  const abandoned = DraftAbandoned({ transactionId: ID });

  test.each<[string, DraftEvent]>([
    ['its claims were given up', abandoned],
    ['something came after an issue that is quarantined', SubmissionAccepted(acceptedSubmission)],
  ])('is refused where %s while it was made', async (_what, event) => {
    const at = await issuing({ meanwhile: [event] });
    expect((await at.call()).refusal).toMatchObject({ code: 'CONCURRENT_CHANGE' });
    expect(at.command.rejections).toContain('CONCURRENT_CHANGE');
  });

  test('makes the draft after earlier ones were given up, and none where the same command was first', async () => {
    const again = await issuing({ before: [abandoned, abandoned] });
    expect(await again.call()).toMatchObject({ message: (await again.issued())?.message });
    for (const end of [[], [DraftExpired({ transactionId: ID })]]) {
      const late = await issuing({ meanwhile: [DraftIssued({ ...issuedDraft, transactionId: ID }), ...end] });
      expect(await late.call()).toMatchObject({ message: issuedDraft.message, refusal: undefined });
    }
  });
});

describe('the draft that another one replaces', () => {
  const replaced = (createdAt: string) => ({
    expiresAt: in5Minutes,
    walletId: 'replaced',
    transactionId: OTHER,
    createdAt,
  });

  test('is ended once this one is recorded, and the answer shows as much', async () => {
    const at = await issuing({ open: [replaced('2026-05-04T09:59:59.999Z')] });
    await at.recordOther();
    expect((await at.call()).position).toBe(await at.positionOf(OTHER));
    expect([(await at.stateOf()).status, (await at.stateOf(OTHER)).status]).toEqual(['open', 'superseded']);
  });
});
