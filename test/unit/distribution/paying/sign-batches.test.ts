// Recorded batches are signed, sent again while they may land, judged once where they failed, and signed anew.
import { describe, expect, test } from 'vitest';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import {
  createPayingMemory,
  type OpenPot,
  type Paying,
  type PayingParts,
  type SignedBatch,
} from '../../../../src/distribution/paying/paying-memory.ts';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { batchKey } from '../../../../src/distribution/paying/plan-batches.ts';
import { sendBatches } from '../../../../src/distribution/paying/sign-batches.ts';
import type { Sender, SignedTransaction } from '../../../../src/distribution/sending/sender.ts';
import {
  type Chain,
  ChainUnavailable,
  type LandedTransaction,
  type SignatureStatus,
} from '../../../../src/kernel/ports/chain.ts';
import { BatchReplanned, type PlannedPot } from '../../../../src/streams/distribution-run.ts';
import { roundRecorded, runAllotted, runId, solPot } from '../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../support/domain-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import {
  bookOfPayments,
  courseTo,
  KEYRING,
  NOW,
  only,
  POLICY,
  stepAt,
  TOKEN,
  taxedMint,
} from '../../../support/run-examples.ts';

const transaction: SignedTransaction = {
  wire: new Uint8Array([1]),
  signature: signatures.first,
  lastValidBlockHeight: 500n,
  fee: 5_000n,
};
const signedBefore: SignedBatch = { transaction, before: [] };
const seen = (error?: string): SignatureStatus => ({ commitment: 'confirmed', slot: 4_150, error });
const REFUSED = '{"InstructionError":[0,"InvalidAccountData"]}';
const TOO_LITTLE = '{"InstructionError":[0,{"Custom":1}]}';

const book = only<PaymentBook>(
  'the book',
  bookOfPayments((number) => ({ to: keyOf(4_000 + number).address, amount: 10n })),
);

function landedAs(error: string | undefined): LandedTransaction | undefined {
  return error === undefined
    ? undefined
    : { slot: 4_150, wire: new Uint8Array(), fee: 5_000n, error, logs: [] };
}

interface Scene {
  readonly pots?: number;
  readonly memory?: SignedBatch;
  readonly status?: SignatureStatus;
  readonly height?: bigint;
  /** What simulations say. */
  readonly error?: string;
  readonly isSendingBroken?: boolean;
  /** The assets of the pots, where they are several. */
  readonly assets?: readonly PlannedPot['asset'][];
  readonly recipients?: number;
  /** The error that a node shows of the finalized transaction; undefined while it has none. */
  readonly landedWith?: string;
  readonly witness?: PayingParts['witness'];
}

function scene({
  pots = 1,
  memory: before,
  status,
  height = 400n,
  error,
  isSendingBroken = false,
  assets = [],
  recipients = 4,
  landedWith,
  witness,
}: Scene = {}) {
  const did: string[] = [];
  const tried: unknown[] = [];
  const chain = only<Chain>('the chain', {
    statuses: async (asked) => asked.map(() => status),
    tip: async () => ({ slot: 4_200n, blockHeight: height }),
    epoch: async () => 702n,
    accounts: async () => [taxedMint({ supply: 1_000n, withheld: 0n })],
    transaction: async () => landedAs(landedWith),
    async recentBlockhash() {
      did.push('blockhash');
      return { blockhash: TOKEN.mint, lastValidBlockHeight: 600n };
    },
  });
  let count = 0;
  const sender = only<Sender>('the sender', {
    price: async () => 0n,
    async simulate(instructions, payer, options) {
      tried.push(instructions);
      did.push(
        `simulate for ${payer === TOKEN.distributor.address ? 'distributor' : 'run'} at ${options?.atLeastSlot}`,
      );
      const slot = 4_200n + BigInt(tried.length);
      return { slot, error, logs: [], unitsConsumed: 9, wire: new Uint8Array() };
    },
    async sign(_instructions, keys, units) {
      count += 1;
      did.push(`sign by ${keys.length} with ${units}`);
      return { ...transaction, signature: `new ${count}` };
    },
    async send({ signature }) {
      did.push(`send ${signature}`);
      if (isSendingBroken) throw new ChainUnavailable('no route');
    },
  });
  let passed = 0;
  const pass = (milliseconds: number) => {
    passed += milliseconds;
  };
  const parts: PayingParts = {
    chain,
    sender,
    keyring: KEYRING,
    yieldToOthers: async () => {},
    clock: { now: () => new Date(NOW.getTime() + passed) },
    policy: { ...POLICY, recipients: { sol: recipients, token: recipients } },
    witness,
  };
  const open = Array.from({ length: pots }, (_, index): OpenPot => {
    const plan = { pot: index, value: '900', from: 0, to: recipients, without: [] };
    const own = assets[index] ?? 'sol';
    const delegate = own === 'sol' ? TOKEN.distributor.address : KEYRING.distributorOfRun(runId).address;
    return {
      index,
      planned: { ...solPot, asset: own, delegate, from: 0, to: 4 },
      progress: { value: '900', next: 0, plans: [plan] },
    };
  });
  const memory = createPayingMemory(4_130n);
  const key = batchKey({ pot: 0, value: '900', from: 0, to: recipients, without: [] });
  if (before !== undefined) memory.signed.set(key, before);
  const paying: Paying = {
    token: TOKEN,
    run: { ...runAllotted.data, pots: open.map(({ planned }) => planned) },
    state: stepAt(courseTo(roundRecorded)).view.run,
    links: stepAt(courseTo(roundRecorded)).view.state,
    book,
    memory,
    absences: new Map(),
    searches: new Map(),
  };
  return { send: () => sendBatches(parts, paying, open), did, tried, open, memory, key, pass };
}

describe('batches', () => {
  test('of one size are tried out once, signed with one blockhash, and sent', async () => {
    const { send, did, memory } = scene({ pots: 2 });
    expect(await send()).toMatchObject({ kind: 'wait', waiting: { for: { code: 'finality' } } });
    expect(did.filter((each) => !each.startsWith('send'))).toEqual([
      'simulate for distributor at 4130',
      'blockhash',
      'sign by 1 with 9',
      'sign by 1 with 9',
    ]);
    expect(did.filter((each) => each.startsWith('send'))).toEqual(['send new 1', 'send new 2']);
    expect([...memory.signed.values()].map((each) => each.transaction.signature)).toEqual(['new 1', 'new 2']);
  });

  test('that may still land are sent again, unsigned', async () => {
    const { send, did } = scene({ memory: signedBefore, height: 500n });
    expect(await send()).toMatchObject({ waiting: { for: { code: 'finality' } } });
    expect(did).toEqual([`send ${signatures.first}`]);
  });

  test('that expired are tried out before a fee is risked again, and their signatures are kept', async () => {
    const { send, did, memory, key } = scene({ memory: signedBefore, height: 501n });
    memory.units.set('sol/4', 9);
    await send();
    expect(did).toEqual(['simulate for distributor at 4130', 'blockhash', 'sign by 1 with 9', 'send new 1']);
    expect(memory.signed.get(key)?.before).toEqual([signatures.first]);
  });

  test('that failed for a recipient are planned anew, before anything else is signed', async () => {
    const { send, did, memory, key } = scene({ pots: 2, memory: signedBefore, status: seen(REFUSED) });
    expect(await send()).toEqual({
      kind: 'record-of-run',
      events: [
        BatchReplanned({
          tokenId: ids.tokenId,
          runId,
          batch: { pot: 0, value: '900', from: 0, to: 2, without: [] },
          refused: [],
        }),
      ],
    });
    expect([did, memory.signed.get(key)?.failure]).toEqual([[], REFUSED]);
  });

  test('that failed for no recipient are signed anew when a pause is over', async () => {
    const { send, did, pass } = scene({ memory: signedBefore, status: seen(TOO_LITTLE) });
    for (let look = 0; look < 3; look++)
      expect(await send()).toMatchObject({
        waiting: { for: { code: 'transaction-refused', error: TOO_LITTLE } },
      });
    expect(did).toEqual([]);
    pass(5_000);
    expect(await send()).toMatchObject({ waiting: { for: { code: 'finality' } } });
    expect(did.at(-1)).toBe('send new 1');
  });

  test('that would fail are not signed', async () => {
    const refused = scene({ error: REFUSED });
    expect(await refused.send()).toMatchObject({ kind: 'record-of-run' });
    const waiting = scene({ error: TOO_LITTLE });
    expect(await waiting.send()).toMatchObject({ kind: 'wait' });
    expect([refused.memory.signed.size, waiting.memory.signed.size]).toEqual([0, 0]);
  });

  test('that cannot be sent are remembered all the same: they may have arrived', async () => {
    const { send, memory, key } = scene({ isSendingBroken: true });
    await expect(send()).rejects.toBeInstanceOf(ChainUnavailable);
    expect(memory.signed.get(key)?.transaction.signature).toBe('new 1');
  });

  test('remember their last eight signatures', async () => {
    const before = Array.from({ length: 8 }, (_, number) => `old ${number}`);
    const { send, memory, key } = scene({ memory: { ...signedBefore, before }, height: 501n });
    await send();
    expect(memory.signed.get(key)?.before).toEqual([signatures.first, ...before.slice(0, 7)]);
  });

  test('pay in SOL, and in tokens by the tax of now', async () => {
    const { send, tried, open } = scene({ pots: 2, assets: ['sol', 'token'] });
    await send();
    const payments = Array.from({ length: 4 }, (_, number) => ({
      to: keyOf(4_000 + number).address,
      amount: 10n,
    }));
    const tax = { epoch: 702n, basisPoints: 300, maximumFee: 1_000_000_000n };
    const token = { kind: 'token', mint: TOKEN.mint, decimals: TOKEN.decimals, tax } as const;
    const expected = open.map(({ planned: { address, delegate, asset } }) =>
      payFromPot(
        { address, owner: TOKEN.wallet.address, delegate, asset: asset === 'sol' ? { kind: 'sol' } : token },
        900n,
        payments,
      ),
    );
    expect(tried).toEqual(expected);
  });
});

describe('a recipient whom the chain seems to refuse', () => {
  const REPLAN = {
    kind: 'record-of-run',
    events: [{ type: 'BatchReplanned', data: { refused: [{ number: 0, refusal: 'closed' }] } }],
  };
  const saying = (error: string | undefined) =>
    only<Chain>('the second node', {
      simulate: async () => ({ slot: 4_300n, error, logs: [], unitsConsumed: 9 }),
      transaction: async () => landedAs(error),
    });

  test('is put off after the third simulation, each of a later slot, over a second', async () => {
    const { send, did, pass } = scene({ recipients: 1, error: REFUSED });
    for (let look = 0; look < 2; look++) {
      expect(await send()).toMatchObject({ kind: 'wait' });
      pass(500);
    }
    expect(await send()).toMatchObject(REPLAN);
    expect(did.filter((each) => each.startsWith('sign'))).toEqual([]);
  });

  test('is paid as well as possible where the second node does not refuse it: the chain decides', async () => {
    for (const [witness, isPutOff] of [
      [saying(REFUSED), true],
      [saying(undefined), false],
      [saying(TOO_LITTLE), false],
    ] as const) {
      const { send, did, pass } = scene({ recipients: 1, error: REFUSED, witness });
      await send();
      pass(1_000);
      await send();
      const end = await send();
      if (isPutOff) expect(end).toMatchObject(REPLAN);
      else expect(did.at(-1)).toBe('send new 1');
    }
  });

  test('by a transaction that failed is put off once that one is final, with its error, at both nodes', async () => {
    const failed = { recipients: 1, memory: signedBefore, status: seen(REFUSED) };
    const unknown = scene(failed);
    expect(await unknown.send()).toMatchObject({ kind: 'wait' });
    expect(unknown.did).toEqual([]);
    expect(await scene({ ...failed, landedWith: REFUSED }).send()).toMatchObject(REPLAN);
    for (const error of [undefined, TOO_LITTLE])
      expect(await scene({ ...failed, landedWith: REFUSED, witness: saying(error) }).send()).toMatchObject({
        kind: 'wait',
      });
    expect(await scene({ ...failed, landedWith: REFUSED, witness: saying(REFUSED) }).send()).toMatchObject(
      REPLAN,
    );
  });
});
