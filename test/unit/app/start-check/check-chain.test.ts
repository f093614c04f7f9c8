// What a check of a start says of the chain, its payers, its witness and its nonces, by what its nodes answer.

import { expect, test } from 'vitest';
import { checkChain } from '../../../../src/app/start-check/check-chain.ts';
import { reportOn } from '../../../../src/app/start-check/obstacle.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { FORMAT } from '../../../../src/kernel/ports/errors.ts';
import { constants } from '../../../../src/operations/config/constants.ts';
import type { Values } from '../../../../src/operations/config/variables.ts';
import { addresses } from '../../../support/domain-examples.ts';

const [GENESIS, OTHER] = ['1'.repeat(31), '2'.repeat(31)];
const keyring = createKeyring(new Uint8Array(32).fill(7));
const { feePayer, distributor } = keyring;
const RICH = 5_000_000_000n;

interface Node {
  readonly genesis?: string;
  readonly balances?: Readonly<Record<string, bigint>>;
  /** What the simulation of a nonce account ends with. */
  readonly simulated?: string;
}

interface Given {
  /** The nodes that answer, by address. */
  readonly nodes?: Readonly<Record<string, Node>>;
  readonly url?: string;
  readonly begunOn?: string;
  readonly keyring?: typeof keyring | undefined;
  readonly values?: Partial<Values>;
}

async function checked(given: Given) {
  const { nodes = { 'https://one': {} }, url = 'https://one', begunOn, values } = given;
  const { outcome, remarks, obstacles } = await reportOn('chain', (findings) =>
    checkChain(
      {
        dataDirectory: '/none',
        chain: { url, isEmbedded: false } as Values['chain'],
        draftLifetimeKind: 'recent-blockhash',
        ...values,
      },
      {
        begunWith:
          begunOn === undefined ? undefined : { format: FORMAT, genesisHash: begunOn, seedFingerprint: '' },
        keyring: 'keyring' in given ? given.keyring : keyring,
      },
      findings,
      async (address) => {
        const node = nodes[address] ?? nodes[address.split(',')[0] ?? ''];
        return {
          async genesisHash() {
            if (node === undefined) throw new Error(`${address} refuses connections`);
            return node.genesis ?? GENESIS;
          },
          balance: async (payer) => node?.balances?.[payer] ?? RICH,
          rentExemption: async () => 1_447_680n,
          slotLeader: async () => addresses.mint,
          simulate: async () => ({ error: node?.simulated, logs: [] }) as never,
        };
      },
    ),
  );
  return { outcome, remarks, obstacles: obstacles.map(({ problem }) => problem) };
}
const witness = (url: string) => ({ chainWitness: { url } as Values['chainWitness'] });
const PAYERS = [
  `the fee payer ${feePayer.address} has ${RICH} lamports`,
  `the distributor ${distributor.address} has ${RICH} lamports`,
];

test.each([
  ['a log that is not begun', undefined],
  ['a log that was begun on it', GENESIS],
])('given %s, a chain that answers holds', async (_what, begunOn) => {
  expect(await checked(begunOn === undefined ? {} : { begunOn })).toEqual({
    outcome: 'holds',
    remarks: [`genesis ${GENESIS}`, ...PAYERS],
    obstacles: [],
  });
});

test('given a log of another chain, it is an obstacle', async () => {
  expect(await checked({ begunOn: OTHER })).toMatchObject({
    remarks: PAYERS,
    obstacles: [
      `The chain (genesis ${GENESIS}) is not the one that this event log was begun on (genesis ${OTHER}). Correct CHAIN_URL, or start with an empty DATA_DIR.`,
    ],
  });
});

test('given a node that does not answer, nothing else is asked of it', async () => {
  expect(await checked({ nodes: {}, values: witness('https://two') })).toEqual({
    outcome: 'obstacles',
    remarks: [],
    obstacles: [
      'the chain (CHAIN_URL): https://one refuses connections. Correct the address, or wait for the node',
    ],
  });
});

test('given several nodes, each that does not answer is named, and the first that does counts', async () => {
  expect(await checked({ nodes: { 'https://two': {} }, url: 'https://one,https://two' })).toMatchObject({
    remarks: [`genesis ${GENESIS}`, ...PAYERS],
    obstacles: [
      'the chain (CHAIN_URL): https://one refuses connections. Correct the address, or wait for the node',
    ],
  });
  expect(
    await checked({ nodes: { 'https://one': {}, 'https://two': {} }, url: 'https://one,https://two' }),
  ).toMatchObject({ outcome: 'holds' });
});

test('given nodes of different chains, all are named with their chains', async () => {
  const nodes = { 'https://one': {}, 'https://two': { genesis: OTHER }, 'https://three': {} };
  const { obstacles } = await checked({ nodes, url: Object.keys(nodes).join(',') });
  expect(obstacles).toEqual([
    `CHAIN_URL names nodes of different chains: one (genesis ${GENESIS}), two (genesis ${OTHER}), three (genesis ${GENESIS}). Remove those of another chain.`,
  ]);
});

test('a witness has to be a node of the same chain, and to answer', async () => {
  const two = (genesis: string) => ({
    nodes: { 'https://one': {}, 'https://two': { genesis } },
    values: witness('https://two'),
  });
  expect((await checked(two(GENESIS))).obstacles).toEqual([]);
  expect((await checked(two(OTHER))).obstacles).toEqual([
    `the witness (CHAIN_WITNESS_URL) is a node of another chain: its genesis is ${OTHER}`,
  ]);
  expect((await checked({ values: witness('https://two') })).obstacles).toEqual([
    'the witness (CHAIN_WITNESS_URL): https://two refuses connections. Correct the address, or wait for the node',
  ]);
});

test('a payer with less than its floor is remarked with what does not happen until it has it, and one with the floor is not', async () => {
  const { feePayerFloor, distributorFloor } = constants;
  const with_ = (balances: Readonly<Record<string, bigint>>) =>
    checked({ nodes: { 'https://one': { balances } } });
  const poor = await with_({
    [feePayer.address]: feePayerFloor - 1n,
    [distributor.address]: distributorFloor - 1n,
  });
  expect(poor).toEqual({
    outcome: 'holds',
    remarks: [
      `genesis ${GENESIS}`,
      `the fee payer ${feePayer.address} has ${feePayerFloor - 1n} lamports: drafts are refused until it has ${feePayerFloor}`,
      `the distributor ${distributor.address} has ${distributorFloor - 1n} lamports: no run is opened until it has ${distributorFloor}`,
    ],
    obstacles: [],
  });
  const enough = await with_({ [feePayer.address]: feePayerFloor, [distributor.address]: distributorFloor });
  expect(enough.remarks.slice(1)).toEqual([
    `the fee payer ${feePayer.address} has ${feePayerFloor} lamports`,
    `the distributor ${distributor.address} has ${distributorFloor} lamports`,
  ]);
});

test('only the payers of the roles of this process are looked at, and none without their keys', async () => {
  const roles = (role: string) => ({ values: { roles: new Set([role]) as unknown as Values['roles'] } });
  expect((await checked(roles('api'))).remarks.slice(1)).toEqual([PAYERS[0]]);
  expect((await checked(roles('distributor'))).remarks.slice(1)).toEqual([PAYERS[1]]);
  expect((await checked(roles('projector'))).remarks.slice(1)).toEqual([]);
  expect(await checked({ keyring: undefined })).toEqual({
    outcome: 'holds',
    remarks: [`genesis ${GENESIS}`],
    obstacles: [],
  });
});

test.each([
  ['has them', undefined, ['it has durable nonces'], []],
  [
    'does not show it',
    '"AccountNotFound"',
    ['it does not tell whether it has durable nonces until the fee payer has SOL'],
    [],
  ],
  [
    'has none',
    JSON.stringify({ InstructionError: [1, 'InvalidInstructionData'] }),
    [],
    [
      'This chain has no durable nonces, on which DRAFT_LIFETIME_KIND=durable-nonce puts drafts. Set DRAFT_LIFETIME_KIND=recent-blockhash: docs/how-to/operate/leave-durable-nonces.md says what changes.',
    ],
  ],
])('where drafts are on durable nonces, a chain is asked for them: it %s', async (_what, simulated, remarks, obstacles) => {
  const found = await checked({
    nodes: { 'https://one': simulated === undefined ? {} : { simulated } },
    values: { draftLifetimeKind: 'durable-nonce' },
  });
  expect([found.remarks.slice(3), found.obstacles]).toEqual([remarks, obstacles]);
  // The validator that makes blocks shows it too, where the fee payer is not known.
  const withoutKeys = await checked({
    nodes: { 'https://one': simulated === undefined ? {} : { simulated } },
    values: { draftLifetimeKind: 'durable-nonce' },
    keyring: undefined,
  });
  expect([withoutKeys.remarks.slice(1), withoutKeys.obstacles]).toEqual([remarks, obstacles]);
});

test('the file of an embedded chain is missing only where a log was begun on it', async () => {
  const embedded = { values: { chain: { url: 'embedded', isEmbedded: true } as Values['chain'] } };
  expect(await checked(embedded)).toEqual({
    outcome: 'holds',
    remarks: ['an embedded chain: the first start begins it in /none/chain/chain.db'],
    obstacles: [],
  });
  expect((await checked({ ...embedded, begunOn: GENESIS })).obstacles).toEqual([
    'the log was begun on an embedded chain whose file /none/chain/chain.db is missing: put it back from the backup of the log',
  ]);
});
