// Which node of a cluster is asked next, what an answer says of it, and when a read gives up.
import { describe, expect, test } from 'vitest';
import {
  afterError,
  chooseNode,
  createCluster,
  decideRetry,
  isForeign,
  MAX_ATTEMPTS,
  pauseBefore,
  stateOf,
  WELL,
} from '../../../../src/adapters/solana-rpc/cluster-nodes.ts';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainBusy,
  ChainUnavailable,
} from '../../../../src/kernel/ports/chain.ts';

type NodeHealth = ReturnType<typeof afterError>;

const away = new ChainUnavailable('the node is away');
const senseless = new ChainAnswerInvalid('this makes no sense');

function clusterOf(...healths: readonly Partial<NodeHealth>[]) {
  const cluster = createCluster(healths.map((_, index) => ({ host: `node ${index}`, chain: {} as Chain })));
  for (const [index, node] of cluster.nodes.entries()) node.health = { ...WELL, ...healths[index] };
  return cluster;
}

describe('the node that is asked next', () => {
  const chosen = (cluster: ReturnType<typeof clusterOf>, ...asked: readonly number[]) =>
    chooseNode(cluster, new Set(cluster.nodes.filter((_, index) => asked.includes(index))))?.host;

  test('is the first, as long as it is well', () => {
    expect(chosen(clusterOf({}, {}))).toBe('node 0');
  });

  test('is another one after it was asked, or rests', () => {
    expect(chosen(clusterOf({}, {}), 0)).toBe('node 1');
    expect(chosen(clusterOf({ suspendedUntil: 5 }, {}))).toBe('node 1');
  });

  test('is the least unwell: asked already before resting', () => {
    expect(chosen(clusterOf({ suspendedUntil: 5 }, {}), 1)).toBe('node 1');
    expect(chosen(clusterOf({ suspendedUntil: 5 }, { suspendedUntil: 5 }), 0)).toBe('node 1');
    expect(chosen(clusterOf({ suspendedUntil: 5 }), 0)).toBe('node 0');
  });

  test('is none of another chain', () => {
    const cluster = clusterOf({}, {});
    const [first, second] = cluster.nodes;
    if (!first || !second) throw new Error('two nodes were made');
    cluster.genesis = 'ours';
    first.genesis = 'theirs';
    expect([isForeign(cluster, first), isForeign(cluster, second)]).toEqual([true, false]);
    expect(chosen(cluster)).toBe('node 1');
    second.genesis = 'theirs too';
    expect(chosen(cluster)).toBeUndefined();
  });
});

describe('the state of a node', () => {
  test.each<[string, Partial<NodeHealth>]>([
    ['well', {}],
    ['well', { failures: 2 }],
    ['failing', { suspendedUntil: 5 }],
    ['behind', { suspendedUntil: 5, answersLate: true }],
  ])('is %s: %o', (state, health) => {
    const cluster = clusterOf(health);
    expect(cluster.nodes.map((node) => stateOf(cluster, node))).toEqual([state]);
    for (const node of cluster.nodes) node.genesis = 'of another chain';
    expect(cluster.nodes.map((node) => stateOf(cluster, node))).toEqual(['foreign']);
  });
});

describe('the health of a node', () => {
  const failing = (failures: number, error: unknown = away, isSlow = false) =>
    afterError({ ...WELL, failures }, error, isSlow, 1_000);

  test('is bad from the third failure in a row, and for twice as long each time, up to 30 seconds', () => {
    expect([0, 1, 2, 3, 4, 20].map((failures) => failing(failures).suspendedUntil)).toEqual([
      0, 0, 2_000, 3_000, 5_000, 31_000,
    ]);
    expect(failing(1).failures).toBe(2);
  });

  test('is bad at once when it does not answer in time', () => {
    expect(failing(0, away, true)).toMatchObject({ failures: 3, suspendedUntil: 2_000 });
    expect(failing(5, away, true)).toMatchObject({ failures: 6, suspendedUntil: 9_000 });
  });

  test('says that it was behind, until it fails in another way', () => {
    const late = failing(2, new ChainBehind('the node is behind'));
    expect(late).toMatchObject({ answersLate: true, suspendedUntil: 2_000 });
    expect(afterError(late, away, false, 1_000).answersLate).toBe(false);
    expect(failing(0, new ChainBehind('the node is behind'))).toMatchObject({
      answersLate: true,
      suspendedUntil: 0,
    });
  });

  test('is good after an answer that makes no sense', () => {
    const bad: NodeHealth = { failures: 7, suspendedUntil: 9_000, answersLate: true };
    expect(afterError(bad, senseless, false, 1_000)).toEqual(WELL);
    expect(afterError(bad, new TypeError('ours'), false, 1_000)).toEqual(WELL);
  });
});

describe('a read that failed', () => {
  const failed: Parameters<typeof decideRetry>[0] = {
    error: away,
    attempts: 1,
    invalidAnswers: 0,
    nodes: 2,
    isNewNext: false,
    left: 5_000,
  };

  test('is tried at once where another node was not asked yet', () => {
    expect(decideRetry({ ...failed, isNewNext: true }, 1)).toBe(0);
    expect(decideRetry({ ...failed, isNewNext: true, left: 0 }, 1)).toBeUndefined();
  });

  test('is tried after a pause that grows with the rounds, at random between half of it and all', () => {
    expect([2, 3, 4, 5].map((attempts) => decideRetry({ ...failed, attempts }, 1))).toEqual([
      50, 100, 200, 400,
    ]);
    expect(decideRetry({ ...failed, attempts: 5 }, 0)).toBe(200);
    expect(decideRetry({ ...failed, nodes: 9 }, 1)).toBe(50);
  });

  test('is given up where the pause would outlast its time', () => {
    expect(decideRetry({ ...failed, left: 51 }, 1)).toBe(50);
    expect(decideRetry({ ...failed, left: 50 }, 1)).toBeUndefined();
  });

  test('is given up after six attempts, and after three answers that make no sense', () => {
    expect(decideRetry({ ...failed, attempts: MAX_ATTEMPTS - 1 }, 1)).toBe(400);
    expect(decideRetry({ ...failed, attempts: MAX_ATTEMPTS }, 1)).toBeUndefined();
    const nonsense = { ...failed, error: senseless };
    expect(decideRetry({ ...nonsense, invalidAnswers: 2 }, 1)).toBe(50);
    expect(decideRetry({ ...nonsense, invalidAnswers: 3 }, 1)).toBeUndefined();
  });

  test('is given up where the fault is our own', () => {
    expect(decideRetry({ ...failed, error: new RangeError('too many') }, 1)).toBeUndefined();
  });
});

test('a pause is at least as long as a busy node asked for, and never above that and a second', () => {
  expect(pauseBefore(0, new ChainBusy('too many calls', 2_000), 1)).toBe(2_050);
  expect(pauseBefore(0, new ChainBusy('too many calls', undefined), 1)).toBe(50);
  expect(pauseBefore(-3, away, 1)).toBe(50);
  expect(pauseBefore(60, away, 1)).toBe(1_000);
});
