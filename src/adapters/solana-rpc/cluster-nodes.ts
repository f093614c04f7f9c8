/** State of the nodes of a cluster: how an answer changes it, which node is asked next, and when a read gives up. */
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainBusy,
  ChainUnavailable,
} from '../../kernel/ports/chain.ts';
import type { ChainNodeState } from '../../kernel/ports/chain-node-meter.ts';

export interface ClusterNode {
  /** Without path and query, which hold keys. */
  readonly host: string;
  readonly chain: Chain;
}

interface NodeHealth {
  /** Failures in a row. */
  readonly failures: number;
  /** Time of `performance.now()`; 0 for a node that does not rest. */
  readonly restUntil: number;
  /** It failed last because it answered from before what was asked for. */
  readonly answersLate: boolean;
}

export interface KnownNode extends ClusterNode {
  /** Undefined until it has said it. */
  genesis: string | undefined;
  health: NodeHealth;
}

export interface Cluster {
  readonly nodes: readonly KnownNode[];
  readonly hasSeveral: boolean;
  /** Genesis hash of the first node that answered. */
  genesis: string | undefined;
}

export const WELL: NodeHealth = { failures: 0, restUntil: 0, answersLate: false };

export const MOST_ATTEMPTS = 6;
/** An answer that makes no sense may be an accident; most are not. */
const MOST_SENSELESS = 3;
/** Milliseconds before the first repetition at the same node; twice as long before each further one. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;
/** Failures in a row after which a node is left alone, and for how long at first and at most, in milliseconds. */
const FAILURES_TO_REST = 3;
const SHORTEST_REST = 1_000;
const LONGEST_REST = 30_000;

export function createCluster(nodes: readonly ClusterNode[]): Cluster {
  return {
    nodes: nodes.map((node) => ({ ...node, genesis: undefined, health: WELL })),
    hasSeveral: nodes.length > 1,
    genesis: undefined,
  };
}

/** True if it has said that it is of another chain. */
export function isForeign({ genesis }: Cluster, node: KnownNode): boolean {
  return node.genesis !== undefined && node.genesis !== genesis;
}

export function stateOf(cluster: Cluster, node: KnownNode): ChainNodeState {
  if (isForeign(cluster, node)) return 'foreign';
  const { restUntil, answersLate } = node.health;
  if (restUntil === 0) return 'well';
  return answersLate ? 'behind' : 'failing';
}

/** The first that is well and not among those asked already, else the one that is the least unwell. */
export function chooseNode(cluster: Cluster, asked: ReadonlySet<KnownNode>): KnownNode | undefined {
  const rank = (node: KnownNode) => (node.health.restUntil > 0 ? 2 : 0) + (asked.has(node) ? 1 : 0);
  return cluster.nodes
    .filter((node) => !isForeign(cluster, node))
    .reduce<KnownNode | undefined>(
      (best, node) => (best === undefined || rank(node) < rank(best) ? node : best),
      undefined,
    );
}

/** `isSlow`: it did not answer in time. `now` by `performance.now()`. */
export function afterError(health: NodeHealth, error: unknown, isSlow: boolean, now: number): NodeHealth {
  // It answered, and others may have asked it something that makes sense.
  if (!(error instanceof ChainUnavailable)) return WELL;
  const answersLate = error instanceof ChainBehind;
  const failures = isSlow ? Math.max(FAILURES_TO_REST, health.failures + 1) : health.failures + 1;
  if (failures < FAILURES_TO_REST) return { ...health, failures, answersLate };
  const rest = Math.min(SHORTEST_REST * 2 ** (failures - FAILURES_TO_REST), LONGEST_REST);
  return { ...health, failures, answersLate, restUntil: now + rest };
}

/** A read that has just failed. */
interface FailedAttempt {
  readonly error: unknown;
  /** So far, this one among them. */
  readonly attempts: number;
  /** Answers that made no sense, so far. */
  readonly senseless: number;
  readonly nodes: number;
  /** Another node was not asked yet. */
  readonly isNewNext: boolean;
  /** Milliseconds of its time. */
  readonly left: number;
}

/** Milliseconds until the next attempt; undefined to give up. `random` from 0 to 1. */
export function decideRetry(failed: FailedAttempt, random: number): number | undefined {
  const { error, attempts, senseless, nodes, isNewNext, left } = failed;
  if (!isWorthAnother(error) || attempts >= MOST_ATTEMPTS || senseless >= MOST_SENSELESS) return undefined;
  const pause = isNewNext ? 0 : pauseBefore(attempts - nodes, error, random);
  return pause >= left ? undefined : pause;
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid;
}

/** Milliseconds. `random` from 0 to 1: many that were refused together must not come back together. */
export function pauseBefore(repetition: number, error: unknown, random: number): number {
  const asked = error instanceof ChainBusy ? (error.askAfter ?? 0) : 0;
  const longest = Math.min(FIRST_PAUSE * 2 ** Math.max(0, repetition), LONGEST_PAUSE);
  return asked + longest * (0.5 + random / 2);
}
