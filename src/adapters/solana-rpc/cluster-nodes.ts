/** State of a cluster's nodes: effect of each response, choice of the next node, and retries of a read. */
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainBusy,
  ChainUnavailable,
} from '../../kernel/ports/chain.ts';
import type { ChainNodeState } from '../../kernel/ports/chain-node-meter.ts';

export interface ClusterNode {
  /** Without path and query, which contain keys. */
  readonly host: string;
  readonly chain: Chain;
}

interface NodeHealth {
  readonly failures: number;
  /** Time by `performance.now()` until which the node is avoided; 0 for a healthy node. */
  readonly suspendedUntil: number;
  /** True if the last failure was a response from before the required slot. */
  readonly answersLate: boolean;
}

export interface TrackedNode extends ClusterNode {
  /** Genesis hash; undefined until the node has returned it. */
  genesis: string | undefined;
  health: NodeHealth;
}

export interface Cluster {
  readonly nodes: readonly TrackedNode[];
  readonly hasSeveral: boolean;
  /** Genesis hash of the first node that responded. */
  genesis: string | undefined;
}

export const WELL: NodeHealth = { failures: 0, suspendedUntil: 0, answersLate: false };

export const MAX_ATTEMPTS = 6;
/** Maximum number of invalid responses per read; only the first may be an accident. */
const MAX_SENSELESS = 3;
/** Milliseconds before the first retry at the same node; doubles with each further retry. */
const FIRST_PAUSE = 50;
const MAX_PAUSE = 1_000;
/** Consecutive failures after which a node is avoided, and for how long at first and at most, in milliseconds. */
const FAILURES_TO_SUSPEND = 3;
const MIN_SUSPENSION = 1_000;
const MAX_SUSPENSION = 30_000;

export function createCluster(nodes: readonly ClusterNode[]): Cluster {
  return {
    nodes: nodes.map((node) => ({ ...node, genesis: undefined, health: WELL })),
    hasSeveral: nodes.length > 1,
    genesis: undefined,
  };
}

/** True if the node has returned another chain's genesis hash. */
export function isForeign({ genesis }: Cluster, node: TrackedNode): boolean {
  return node.genesis !== undefined && node.genesis !== genesis;
}

export function stateOf(cluster: Cluster, node: TrackedNode): ChainNodeState {
  if (isForeign(cluster, node)) return 'foreign';
  const { suspendedUntil, answersLate } = node.health;
  if (suspendedUntil === 0) return 'well';
  return answersLate ? 'behind' : 'failing';
}

/** Chooses a healthy node, preferably one not tried yet; otherwise an unhealthy one. */
export function chooseNode(cluster: Cluster, asked: ReadonlySet<TrackedNode>): TrackedNode | undefined {
  const rank = (node: TrackedNode) => (node.health.suspendedUntil > 0 ? 2 : 0) + (asked.has(node) ? 1 : 0);
  return cluster.nodes
    .filter((node) => !isForeign(cluster, node))
    .reduce<TrackedNode | undefined>(
      (best, node) => (best === undefined || rank(node) < rank(best) ? node : best),
      undefined,
    );
}

/** `isSlow`: the node did not respond in time. `now` by `performance.now()`. */
export function afterError(health: NodeHealth, error: unknown, isSlow: boolean, now: number): NodeHealth {
  // The node responded, and the request itself may have been invalid.
  if (!(error instanceof ChainUnavailable)) return WELL;
  const answersLate = error instanceof ChainBehind;
  const failures = isSlow ? Math.max(FAILURES_TO_SUSPEND, health.failures + 1) : health.failures + 1;
  if (failures < FAILURES_TO_SUSPEND) return { ...health, failures, answersLate };
  const rest = Math.min(MIN_SUSPENSION * 2 ** (failures - FAILURES_TO_SUSPEND), MAX_SUSPENSION);
  return { ...health, failures, answersLate, suspendedUntil: now + rest };
}

interface FailedAttempt {
  readonly error: unknown;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly invalidAnswers: number;
  readonly nodes: number;
  /** True if the next attempt uses a node not tried yet. */
  readonly isNewNext: boolean;
  /** Milliseconds left for the read. */
  readonly left: number;
}

/** Milliseconds until the next attempt; undefined to abandon the read. `random` from 0 to 1. */
export function decideRetry(failed: FailedAttempt, random: number): number | undefined {
  const { error, attempts, invalidAnswers, nodes, isNewNext, left } = failed;
  if (!isWorthAnother(error) || attempts >= MAX_ATTEMPTS || invalidAnswers >= MAX_SENSELESS) return undefined;
  const pause = isNewNext ? 0 : pauseBefore(attempts - nodes, error, random);
  return pause >= left ? undefined : pause;
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid;
}

/** Milliseconds. `random` from 0 to 1 spreads the retries of many reads that failed together. */
export function pauseBefore(repetition: number, error: unknown, random: number): number {
  const asked = error instanceof ChainBusy ? (error.askAfter ?? 0) : 0;
  const longest = Math.min(FIRST_PAUSE * 2 ** Math.max(0, repetition), MAX_PAUSE);
  return asked + longest * (0.5 + random / 2);
}
