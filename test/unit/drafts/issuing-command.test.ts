// The command that makes drafts: what it asks of the chain, what it refuses before anything is taken, what is recorded, and
// what a repeated call gets.
import { Type } from '@sinclair/typebox';
import { Message } from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { defineDraft } from '../../../src/drafts/define-draft.ts';
import type { SentBy } from '../../../src/drafts/draft-plan.ts';
import { tokenCreation } from '../../../src/drafts/purposes/token-creation.ts';
import type { DraftServices } from '../../../src/drafts/services.ts';
import type { Simulation } from '../../../src/kernel/ports/chain.ts';
import type { Position } from '../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { commandIdFor, deriveId } from '../../../src/kernel/runtime/ids.ts';
import { createCommandRunner } from '../../../src/kernel/runtime/run-command.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  DraftCancelled,
  type DraftEvent,
  type IssuedDraft,
  SubmissionAccepted,
  SubmissionLapsed,
} from '../../../src/streams/draft-events.ts';
import { type DraftState, issuedOf } from '../../../src/streams/draft-state.ts';
import { streams } from '../../../src/streams/index.ts';
import { rejection } from '../../../src/streams/rejections.ts';
import { causeOf } from '../../support/counter.ts';
import { acceptedSubmission, addresses, signatures, token } from '../../support/domain-examples.ts';
import { temporaryEventStore, wholeLog } from '../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const START = '2026-05-04T10:00:00.000Z';
const [PAYMENTS, WALLET_RENT] = [1_000_000n, 890_880n];
/** Units that the simulation takes; with the nonce advance and the margin, 67,688 are allowed. */
const [UNITS, UNIT_LIMIT] = [50_000, 67_688];
/** At 1,000 microlamports a unit, for 67,688 of them. */
const PRIORITY = 68n;
const FIVE_MINUTES = 300_000;
const KEY = { actor: addresses.creator, requestId: 'request', idempotencyKey: 'one' };
const ID = deriveId('draft', commandIdFor(addresses.creator, 'POST /create', 'one'));
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
  readonly open?: readonly { readonly expiresAt: string; readonly walletId?: string }[];
  readonly isStoreAway?: boolean;
  readonly isUnfunded?: boolean;
  readonly claim?: () => Promise<void>;
  readonly replace?: () => Promise<Position | undefined>;
  /** Recorded of the draft before it is made. */
  readonly before?: readonly DraftEvent[];
}

async function issuing(given: World = {}) {
  const { lifetime = 'durable-nonce', sentBy = 'service', balance = 10n ** 12n, prices = [5_000n] } = given;
  const slot = 'slot' in given ? given.slot : 400;
  let now = Date.parse(START);
  let [blockHeight, lastValid, leases, returns] = [850n, 1_000n, 0, 0];
  let blockhash: string = addresses.nonceValue;
  let beforeBlockhash = async () => {};
  const asked: string[] = [];
  const clock = { now: () => new Date(now) };
  const store = await temporaryEventStore();
  const executor = createExecutor(store, createEventCodec(streams), clock);
  const record = (...events: readonly DraftEvent[]) => executor.execute(draft, ID, causeOf(), () => events);
  if (given.before !== undefined) await record(...given.before);
  const services = {
    executor,
    clock,
    keyring,
    policy: {
      draftLifetimeKind: lifetime,
      draftLifetime: FIVE_MINUTES,
      openDraftsPerWallet: 2,
      maxComputeUnitPrice: 1_000n,
    },
    async readModelsCaughtUp() {
      asked.push('read models');
      if (given.isStoreAway) throw new Error('away');
    },
    readModel: {
      find: async (_projection: object, index: string, value: string) =>
        index === 'open' && value === addresses.creator
          ? (given.open ?? []).map(({ expiresAt, walletId = token.walletId }) => ({
              issued: { expiresAt, subject: { ...token, walletId } },
            }))
          : [],
    },
    slotTime: { measured: async () => slot, latest: () => slot },
    chain: {
      rentExemption: async () => WALLET_RENT,
      recentPrices: async (writable: readonly string[]) => (writable.length === 1 ? prices : []),
      balance: async () => balance,
      async recentBlockhash() {
        await beforeBlockhash();
        return { blockhash, lastValidBlockHeight: lastValid };
      },
      tip: async () => ({ slot: 1n, blockHeight }),
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
      replaces: (other) => 'walletId' in other && other.walletId === 'replaced',
      ...(given.claim === undefined ? {} : { claim: given.claim }),
    }),
    ...(given.replace === undefined ? {} : { replace: given.replace }),
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
  const stateOf = async (): Promise<DraftState> => (await executor.load(draft, ID)).state;
  return {
    command,
    asked,
    call,
    record,
    stateOf,
    issued: async () => issuedOf(await stateOf()),
    log: () => wholeLog(store),
    leases: () => [leases, returns],
    later(milliseconds: number) {
      now += milliseconds;
    },
    closeStore: () => store.close(),
    /** What happens while a blockhash is asked for. */
    beforeBlockhash(happens: () => Promise<unknown>) {
      beforeBlockhash = async () => void (await happens());
    },
    /** A newer block, whose blockhash is good for longer. */
    newBlock(height: bigint) {
      blockHeight = height;
      blockhash = addresses.nextNonceValue;
      lastValid = height + 150n;
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
    expect(issued).not.toHaveProperty('bytesExpireAt');
    // The advance, the limit, the price, and what it is for.
    expect(issued && instructionsOf(issued)).toBe(4);
    expect(at.leases()).toEqual([1, 0]);
  });

  test('may use the units of its simulation and of the nonce advance, which is not simulated, with a margin', async () => {
    const at = await issuing();
    await at.call();
    const message = (await at.issued())?.message ?? '';
    const [, limit] = Message.from(Buffer.from(message, 'base64')).instructions;
    expect(Buffer.from(bs58.decode(limit?.data ?? '')).readUInt32LE(1)).toBe(UNIT_LIMIT);
  });

  test('on a recent blockhash costs a signature less, and tells when its bytes are over', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    await at.call();
    const issued = await at.issued();
    expect(issued).toMatchObject({
      cost: (PAYMENTS + 10_000n + PRIORITY).toString(),
      lifetime: { kind: 'recent-blockhash', blockhash: addresses.nonceValue, lastValidBlockHeight: '1000' },
      expiresAt: in5Minutes,
      // 150 blocks of 400 milliseconds.
      bytesExpireAt: '2026-05-04T10:01:00.000Z',
    });
    expect(issued && instructionsOf(issued)).toBe(3);
    expect(at.leases()).toEqual([0, 0]);
  });

  test('on a recent blockhash tells no end of its bytes where nobody knows how long slots are', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash', slot: undefined });
    await at.call();
    expect(await at.issued()).not.toHaveProperty('bytesExpireAt');
  });

  test('that its creator sends lives as long as its blockhash, and is refused where nobody knows how long that is', async () => {
    const at = await issuing({ sentBy: 'client' });
    await at.call();
    expect(await at.issued()).toMatchObject({
      lifetime: { kind: 'recent-blockhash' },
      expiresAt: '2026-05-04T10:01:00.000Z',
    });
    expect(await at.issued()).not.toHaveProperty('bytesExpireAt');
    const unknown = await issuing({ sentBy: 'client', slot: undefined });
    expect((await unknown.call()).refusal).toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      retryAfterSeconds: 20,
    });
    expect((await unknown.stateOf()).status).toBe('absent');
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

  test('pays the median of recent prices, up to the operator’s maximum', async () => {
    const at = await issuing({ prices: [0n, 500n, 900n] });
    await at.call();
    // 500 microlamports for each of 67,688 units.
    expect(UNIT_LIMIT * 500).toBe(33_844_000);
    expect((await at.issued())?.cost).toBe((PAYMENTS + 15_000n + 34n).toString());
  });
});

describe('a wallet', () => {
  const COST = PAYMENTS + 15_000n + PRIORITY;

  test('that holds the cost and its own rent exactly gets its draft', async () => {
    expect((await (await issuing({ balance: COST + WALLET_RENT })).call()).refusal).toBeUndefined();
  });

  test('with a lamport less is told what is needed and what it has, and nothing is taken', async () => {
    const at = await issuing({ balance: COST + WALLET_RENT - 1n });
    expect((await at.call()).refusal).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: [
        { path: ['needed'], message: (COST + WALLET_RENT).toString() },
        { path: ['found'], message: (COST + WALLET_RENT - 1n).toString() },
      ],
    });
    expect([at.leases(), (await at.stateOf()).status]).toEqual([[0, 0], 'absent']);
  });

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
  test('that the chain would refuse', async () => {
    const at = await issuing({ simulation: { error: ERROR, logs: ['a line'] } });
    expect((await at.call()).refusal).toMatchObject({
      code: 'CHAIN_REJECTED',
      details: [
        { path: ['error'], message: ERROR },
        { path: ['logs', '0'], message: 'a line' },
      ],
    });
    expect(at.leases()).toEqual([0, 0]);
  });

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

async function chainAway(): Promise<never> {
  throw rejection('CHAIN_UNAVAILABLE', 'away');
}

describe('a repeated call', () => {
  test('gets the draft that it made, and takes nothing again', async () => {
    const at = await issuing();
    const first = await at.call();
    const second = await at.call();
    expect([second.message, at.leases(), at.asked]).toEqual([
      first.message,
      [1, 0],
      ['read models', 'simulate'],
    ]);
  });

  test.each<[string, number, bigint | undefined, boolean]>([
    ['at once gets the same bytes', 1_999, 1_000n, false],
    ['whose bytes have half of their blocks left gets them', 2_000, 925n, false],
    ['whose bytes have fewer left gets fresh ones', 2_000, 926n, true],
    ['of a draft that is over gets it as it was', FIVE_MINUTES, 2_000n, false],
  ])('%s', async (_what, milliseconds, height, isFresh) => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    const first = await at.call();
    at.later(milliseconds);
    if (height !== undefined) at.newBlock(height);
    const second = await at.call();
    expect(second.message !== first.message).toBe(isFresh);
    expect((await at.stateOf()) as object).toMatchObject({ version: isFresh ? 2 : 1 });
    if (isFresh) expect((second.position ?? '') > (first.position ?? '')).toBe(true);
  });

  test('gets fresh bytes again as long as they are good, not those before them', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    const first = await at.call();
    at.later(3_000);
    at.newBlock(926n);
    const fresh = await at.call();
    at.later(3_000);
    at.beforeBlockhash(chainAway);
    const again = await at.call();
    expect([fresh.message === first.message, again.message === fresh.message]).toEqual([false, true]);
  });

  test('of a traced request has its fresh bytes recorded in that trace, under a command of their own', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    await at.call();
    at.later(3_000);
    at.newBlock(990n);
    await at.call({ ...KEY, requestId: 'again', traceparent: 'trace' });
    const [issued, refreshed] = (await at.log()).filter(({ type }) => type.startsWith('Draft'));
    expect(refreshed).toMatchObject({
      type: 'DraftRefreshed',
      metadata: {
        correlationId: 'again',
        causationId: issued?.metadata.commandId,
        traceparent: 'trace',
        actor: 'service:drafts',
      },
    });
    expect(refreshed?.metadata.commandId).not.toBe(issued?.metadata.commandId);
  });

  const ENDS = [
    SubmissionAccepted({ ...acceptedSubmission, transactionId: ID }),
    DraftCancelled({ transactionId: ID }),
  ];

  test.each(ENDS)('gets what was submitted, or given up, as it was: $type', async (end) => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    const first = await at.call();
    await at.record(end);
    at.later(3_000);
    at.newBlock(990n);
    const { message, refusal } = await at.call();
    expect([message, refusal]).toEqual([first.message, undefined]);
  });

  test.each(ENDS)('gets what it was given where the draft meanwhile ended as well: $type', async (end) => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    const first = await at.call();
    at.later(3_000);
    at.newBlock(990n);
    at.beforeBlockhash(() => at.record(end));
    const { message, refusal } = await at.call();
    expect([message, refusal]).toEqual([first.message, undefined]);
  });

  test('is told that the store does not answer, and given no bytes that may be old, where it went away meanwhile', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    await at.call();
    at.later(3_000);
    at.newBlock(990n);
    at.beforeBlockhash(() => at.closeStore());
    expect((await at.call()).refusal).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('of a draft that gets no other bytes does not depend on the chain', async () => {
    const [over, submitted, onNonce] = [
      await issuing({ lifetime: 'recent-blockhash' }),
      await issuing({ lifetime: 'recent-blockhash' }),
      await issuing(),
    ];
    for (const at of [over, submitted, onNonce]) {
      const first = await at.call();
      if (at === submitted) await at.record(...ENDS.slice(0, 1));
      at.later(at === over ? FIVE_MINUTES : 3_000);
      at.newBlock(990n);
      at.beforeBlockhash(chainAway);
      expect((await at.call()).message).toBe(first.message);
    }
  });

  test('gets fresh bytes where those that were submitted have lapsed, however many blocks are left', async () => {
    const at = await issuing({ lifetime: 'recent-blockhash' });
    const first = await at.call();
    await at.record(
      SubmissionAccepted({ ...acceptedSubmission, transactionId: ID }),
      SubmissionLapsed({ transactionId: ID, signature: signatures.first, finalizedHeight: '900' }),
    );
    at.later(3_000);
    at.newBlock(860n);
    expect((await at.call()).message).not.toBe(first.message);
  });

  test('on a durable nonce gets the same bytes until the end: they stay good', async () => {
    const at = await issuing();
    const first = await at.call();
    at.later(FIVE_MINUTES - 1);
    at.newBlock(9_000n);
    expect((await at.call()).message).toBe(first.message);
  });
});

describe('the draft that another one replaces', () => {
  test('is ended once this one is recorded, and the answer shows as much', async () => {
    const at = await issuing({ replace: async () => '999' });
    expect((await at.call()).position).toBe('999');
    expect((await at.stateOf()).status).toBe('open');
  });

  test('may be ended later where that cannot be done now; what it means is the same', async () => {
    const at = await issuing({
      replace: async () => {
        throw rejection('STORE_UNAVAILABLE', 'away');
      },
    });
    const { refusal, message } = await at.call();
    expect([refusal, message]).toEqual([undefined, (await at.issued())?.message]);
  });

  test('that was submitted meanwhile refuses this one', async () => {
    const at = await issuing({
      replace: async () => {
        throw rejection('WALLET_ALREADY_USED', 'It is taken.');
      },
    });
    expect((await at.call()).refusal).toMatchObject({ code: 'WALLET_ALREADY_USED' });
  });

  test('is not looked for where none is replaced', async () => {
    expect((await (await issuing()).call()).refusal).toBeUndefined();
  });
});

test('a code that is common to all drafts is declared once', async () => {
  const { command } = await issuing();
  expect(command.rejections.filter((code) => code === 'CHAIN_REJECTED')).toHaveLength(1);
  expect(command.rejections).toContain('WALLET_ALREADY_USED');
});
