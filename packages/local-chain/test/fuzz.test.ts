// Bytes from nowhere: the chain refuses them and lives on. LiteSVM by itself aborts the process on some of these.
import { Keypair, SystemProgram } from '@solana/web3.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LocalChain } from '../src/local-chain.ts';
import { fundedKeypair, openChain, post, type RpcAnswer, signed } from './chain-under-test.ts';

const SEED = 20_260_101;
const CALLS_PER_POST = 100;

/** What happens to good bytes: some are changed, cut off, put in twice or added at the end. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('append' as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
);

function mutate(
  wire: Uint8Array,
  changes: readonly (typeof mutation extends fc.Arbitrary<infer T> ? T : never)[],
) {
  let bytes = Buffer.from(wire);
  for (const change of changes) {
    if (change.kind === 'append') {
      bytes = Buffer.concat([bytes, change.bytes]);
      continue;
    }
    const at = bytes.length === 0 ? 0 : change.at % bytes.length;
    if (change.kind === 'set') bytes[at] = change.byte;
    else if (change.kind === 'cut') bytes = bytes.subarray(0, at);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at / 2)]);
  }
  return bytes;
}

const stranger = Keypair.generate();

describe('a chain that is sent', () => {
  let chain: LocalChain;
  let wire: Buffer;

  beforeAll(async () => {
    const opened = await openChain();
    chain = opened.chain;
    const funded = await fundedKeypair(opened.connection);
    const transfer = SystemProgram.transfer({
      fromPubkey: funded.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 5,
    });
    wire = (await signed(opened.connection, [transfer], [funded])).serialize();
  });

  async function callAll(calls: readonly (readonly [method: string, params: readonly unknown[]])[]) {
    for (let start = 0; start < calls.length; start += CALLS_PER_POST) {
      const batch = calls
        .slice(start, start + CALLS_PER_POST)
        .map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
      const answers = (await (await post(chain.url, JSON.stringify(batch))).json()) as RpcAnswer[];
      expect(answers).toHaveLength(batch.length);
      expect(answers.filter(({ error }) => error?.code === -32_603)).toEqual([]);
    }
    expect(chain.status()).toMatchObject({ up: true, restarts: 0 });
  }

  // A simulation does not verify signatures, so mutated messages really reach the virtual machine.
  test('mutated transactions lives on', async () => {
    const samples = fc.sample(fc.array(mutation, { minLength: 1, maxLength: 4 }), {
      seed: SEED,
      numRuns: 4_000,
    });
    await callAll(
      samples.map((changes, index) => {
        const text = mutate(wire, changes).toString('base64');
        const encoding = { encoding: 'base64' };
        return index % 4 === 0
          ? (['sendTransaction', [text, encoding]] as const)
          : (['simulateTransaction', [text, { ...encoding, replaceRecentBlockhash: true }]] as const);
      }),
    );
  });

  test('messages with single bytes changed everywhere lives on', async () => {
    const calls = [...wire.keys()].flatMap((at) =>
      [0, 1, 2, 127, 128, 255].map((byte) => {
        const changed = Buffer.from(wire);
        changed[at] = byte;
        const config = { encoding: 'base64', replaceRecentBlockhash: true, innerInstructions: true };
        return ['simulateTransaction', [changed.toString('base64'), config]] as const;
      }),
    );
    await callAll(calls);
  });

  test('any JSON as parameters of any method lives on', async () => {
    const methods = [
      'getAccountInfo',
      'getMultipleAccounts',
      'getProgramAccounts',
      'getSignaturesForAddress',
      'getSignatureStatuses',
      'getTransaction',
      'getTokenAccountsByOwner',
      'getTokenLargestAccounts',
      'getBlock',
      'getBlocks',
      'getBlockTime',
      'getFeeForMessage',
      'getLatestBlockhash',
      'isBlockhashValid',
      'requestAirdrop',
      'simulateTransaction',
      'sendTransaction',
      'getRecentPrioritizationFees',
    ];
    const params = fc.array(
      fc.oneof(fc.jsonValue(), fc.constant(stranger.publicKey.toBase58()), fc.nat(), fc.object()),
      { maxLength: 3 },
    );
    const calls = fc.sample(fc.tuple(fc.constantFrom(...methods), params), { seed: SEED, numRuns: 1_500 });
    await callAll(calls.map(([method, list]) => [method, JSON.parse(JSON.stringify(list)) as unknown[]]));
  });
});
