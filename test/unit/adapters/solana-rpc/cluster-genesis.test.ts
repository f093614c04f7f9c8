import { describe, expect, test } from 'vitest';
import { decideGenesis } from '../../../../src/adapters/solana-rpc/cluster-genesis.ts';

const [one, two] = [
  { host: 'one', genesis: 'A' },
  { host: 'two', genesis: 'B' },
];

describe('the chain of a cluster', () => {
  test('is the one that all nodes name that answer', () => {
    expect(decideGenesis(undefined, [one])).toEqual({ ofCluster: 'A', told: 'A' });
    expect(decideGenesis(undefined, [one, { ...two, genesis: 'A' }])).toEqual({ ofCluster: 'A', told: 'A' });
  });

  test('is refused where nodes name several before any is known, with each of them', () => {
    const decided = decideGenesis(undefined, [one, two]);
    expect(decided).toEqual({
      refusal:
        'CHAIN_URL names nodes of different chains: one (genesis A), two (genesis B). Remove those of another chain.',
    });
  });

  test('stays the one that is known while any node names it', () => {
    expect(decideGenesis('B', [one, two])).toEqual({ ofCluster: 'B', told: 'B' });
  });

  test('is told as the nodes name it where none names the known one: the record of the service refuses it', () => {
    expect(decideGenesis('C', [one, two])).toEqual({ ofCluster: 'C', told: 'A' });
  });

  test('is not made up', () => {
    expect(() => decideGenesis('A', [])).toThrow(RangeError);
  });
});
