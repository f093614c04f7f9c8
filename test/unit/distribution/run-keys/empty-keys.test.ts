// What is left in the keys of closed runs goes back to the distributor, and is recorded once it is final.
import { describe, expect, test } from 'vitest';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import {
  type EmptyingMemory,
  type EmptyingParts,
  lookAtKeys,
} from '../../../../src/distribution/run-keys/empty-keys.ts';
import type { Sender, SignedTransaction } from '../../../../src/distribution/sending/sender.ts';
import type { SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import type { LentKey } from '../../../../src/streams/distribution.ts';
import { runId, tills } from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
import { keyOf, signed } from '../../../support/faulty-chain/token-world.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { KEYRING, NOW, TOKEN } from '../../../support/run-examples.ts';
import { type ScriptedTransaction, scriptedHistory } from '../../../support/scripted-history.ts';

const RENT = 890_880n;
const FEE = 5_000n;
const { distributor } = KEYRING;
const runKey = KEYRING.distributorOfRun(runId);
const lent: LentKey = { runId, key: runKey.address };
const STRANGER = keyOf(6_300);
const till = { number: 1, address: tills.first, slot: '4100', lamports: '700' };
const signedOf = (signature: string): SignedTransaction => ({
  wire: new Uint8Array(),
  signature,
  lastValidBlockHeight: 500n,
  fee: FEE,
});

interface Scene {
  readonly keys?: readonly LentKey[];
  /** Lamports of each key, as final; and of the first as the latest slot shows it. */
  readonly held?: readonly (bigint | undefined)[];
  readonly latest?: bigint | undefined;
  readonly history?: readonly ScriptedTransaction[];
  readonly status?: SignatureStatus;
  readonly height?: bigint;
  readonly before?: Partial<{ failures: number; notBefore: number }>;
  readonly isFirst?: boolean;
}

function scene({
  keys = [lent],
  held = [],
  history = [],
  status,
  height = 400n,
  before,
  ...given
}: Scene = {}) {
  const did: unknown[] = [];
  const asked: unknown[] = [];
  const { chain: past } = scriptedHistory(history);
  const latest = 'latest' in given ? given.latest : held[0];
  const account = (lamports: bigint | undefined) =>
    lamports === undefined ? undefined : { owner: '', data: new Uint8Array(), lamports };
  const chain = {
    ...past,
    async accountsAt(addresses: readonly string[], commitment: string, options: unknown) {
      asked.push([addresses.length, commitment, options]);
      return { slot: 4_200n, accounts: addresses.map((_, index) => account(held[index])) };
    },
    async accounts(addresses: readonly string[], commitment: string, options: unknown) {
      asked.push([addresses, commitment, options]);
      return [account(latest)];
    },
    statuses: async () => [status],
    tip: async () => ({ slot: 4_200n, blockHeight: height }),
    rentExemption: async () => RENT,
    recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: 600n }),
  };
  const sender: Pick<Sender, 'feeOf' | 'sign' | 'send'> = {
    feeOf: (_units, signatures) => FEE * BigInt(signatures),
    async sign(instructions, by) {
      did.push({ sign: instructions, by: by.map(({ address }) => address) });
      return signedOf('fresh');
    },
    async send({ signature }) {
      did.push(`send ${signature}`);
    },
  };
  const memory: EmptyingMemory = {
    transfers: new Map(
      before === undefined
        ? []
        : [[lent.key, { signed: signedOf('before'), failures: 0, notBefore: 0, ...before }]],
    ),
    searches: new Map(),
  };
  const parts = { chain, sender, keyring: KEYRING, clock: { now: () => NOW } } as unknown as EmptyingParts;
  const look = () =>
    lookAtKeys(parts, ids.tokenId, { lent: [...keys], till: given.isFirst ? undefined : till }, memory);
  return { look, did, asked, memory };
}

const transfer = (lamports: bigint) => [
  transferInstruction({ from: runKey.address, to: distributor.address, lamports }),
];

describe('what is left in a key', () => {
  test('goes back whole but for the fee, which the key pays itself', async () => {
    const { look, did, memory, asked } = scene({ held: [RENT + FEE] });
    expect(await look()).toEqual({ emptied: [], pause: 400 });
    expect(did).toEqual([{ sign: transfer(RENT), by: [runKey.address] }, 'send fresh']);
    expect(memory.transfers.get(lent.key)).toMatchObject({ failures: 0, notBefore: 0 });
    // No older than the last link, and then than what showed that something is left.
    expect(asked).toEqual([
      [1, 'finalized', { atLeastSlot: 4_100n }],
      [[lent.key], 'confirmed', { atLeastSlot: 4_200n }],
    ]);
  });

  test('goes back at the distributor’s expense where the fee would leave less than the rent', async () => {
    const { look, did } = scene({ held: [RENT + FEE - 1n] });
    await look();
    expect(did[0]).toEqual({ sign: transfer(RENT + FEE - 1n), by: [distributor.address, runKey.address] });
  });

  test('is not signed for where the latest slot shows nothing of it', async () => {
    for (const latest of [0n, undefined]) {
      const { look, did, memory } = scene({ held: [7n], latest });
      expect(await look()).toEqual({ emptied: [], pause: 400 });
      expect([did, memory.transfers.size]).toEqual([[], 0]);
    }
  });

  test('of another run’s key is never signed for', async () => {
    const other = { ...lent, key: STRANGER.address };
    await expect(scene({ keys: [other], held: [7n] }).look()).rejects.toThrow(
      `the key ${other.key} is not that of the run ${runId}`,
    );
  });

  test('is nothing where no key was lent to', async () => {
    const { look, asked } = scene({ keys: [] });
    expect([await look(), asked]).toEqual([{ emptied: [], pause: undefined }, []]);
  });

  test('is looked at a hundred keys at a time', async () => {
    const { look, asked } = scene({ keys: Array.from({ length: 101 }, () => lent) });
    await look();
    expect(asked[0]).toEqual([100, 'finalized', { atLeastSlot: 4_100n }]);
  });
});

describe('a transfer that was sent', () => {
  const failed: SignatureStatus = { commitment: 'confirmed', slot: 4_150, error: '"x"' };
  const now = NOW.getTime();

  test.each<readonly [what: string, given: Scene, did: readonly unknown[], pause: number]>([
    ['is sent again while it may land', {}, ['send before'], 400],
    ['is sent again in its last block', { height: 500n }, ['send before'], 400],
    ['is signed anew once it cannot land', { height: 501n }, [expect.anything(), 'send fresh'], 400],
    ['is left alone for a while once it has failed', { status: failed }, [], 5_000],
    ['is left alone twice as long each time', { status: failed, before: { failures: 3 } }, [], 40_000],
    ['is left alone ten minutes at most', { status: failed, before: { failures: 20 } }, [], 600_000],
    ['is left alone until then', { status: failed, before: { notBefore: now + 1 } }, [], 1],
    [
      'is signed anew then',
      { status: failed, before: { notBefore: now } },
      [expect.anything(), 'send fresh'],
      400,
    ],
  ])('%s', async (_what, given, did, pause) => {
    const { look, did: done } = scene({ held: [RENT], before: {}, ...given });
    expect(await look()).toEqual({ emptied: [], pause });
    expect(done).toEqual(did);
  });

  test('is remembered to have failed', async () => {
    const { look, memory } = scene({ held: [RENT], status: failed, before: { failures: 1 } });
    await look();
    expect(memory.transfers.get(lent.key)).toMatchObject({ failures: 2, notBefore: now + 10_000 });
    const anew = scene({ held: [RENT], status: failed, before: { failures: 2, notBefore: now } });
    await anew.look();
    expect(anew.memory.transfers.get(lent.key)).toMatchObject({ failures: 2, notBefore: 0 });
  });
});

describe('a key that holds nothing', () => {
  function landed(from: string, lamports: readonly bigint[], to = distributor.address): ScriptedTransaction {
    const keys = [distributor, runKey, STRANGER].filter(({ address }) => address === from);
    const wire = signed(
      lamports.map((each) => transferInstruction({ from, to, lamports: each })),
      keys,
      TOKEN.mint,
    );
    return {
      entry: historyEntry('the transfer', { slot: 417 }),
      transaction: { slot: 417, wire, fee: FEE, error: undefined, logs: [] },
    };
  }

  test('is told with the transfer that emptied it, which is then forgotten', async () => {
    const { look, did, memory } = scene({ before: {}, history: [landed(runKey.address, [7n, 5n])] });
    const { emptied, pause } = await look();
    expect(emptied.map(({ data }) => data)).toEqual([
      {
        tokenId: ids.tokenId,
        runId,
        key: lent.key,
        returned: '12',
        signature: 'the transfer',
        fee: '5000',
        emptiedAt: NOW.toISOString(),
      },
    ]);
    expect([pause, did, memory.transfers.size]).toEqual([undefined, [], 0]);
  });

  test.each([
    ['of a stranger', landed(STRANGER.address, [7n])],
    ['to a stranger', landed(runKey.address, [7n], STRANGER.address)],
    ['of nothing', landed(runKey.address, [0n])],
  ])('is not told by a transfer %s: it is looked at again in five seconds', async (_what, other) => {
    const { look, did } = scene({ held: [0n], history: [other] });
    expect(await look()).toEqual({ emptied: [], pause: 5_000 });
    expect(did).toEqual([]);
  });

  test('does not keep another from being emptied soon', async () => {
    const { look } = scene({ keys: [lent, lent], held: [undefined, RENT], latest: RENT });
    expect(await look()).toMatchObject({ pause: 400 });
    const reversed = scene({ keys: [lent, lent], held: [RENT, undefined] });
    expect(await reversed.look()).toMatchObject({ pause: 400 });
  });
});
