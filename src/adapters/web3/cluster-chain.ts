/**
 * The Chain port over the nodes of one cluster. Reads go to the first node that is well, and are tried again, there or
 * at the next one, within a time; sends go to all nodes once, and are never repeated here: who sends decides about that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainBusy,
  ChainUnavailable,
} from '../../ports/chain.ts';
import { type ChainNodeMeter, type ChainNodeState, outcomeOf } from '../../ports/chain-node-meter.ts';
import { OperatorError } from '../../ports/operator-error.ts';
import { inTime } from '../../runtime/in-time.ts';

export interface ClusterNode {
  /** Without path and query, which hold keys. */
  readonly host: string;
  readonly chain: Chain;
}

/** Milliseconds for one read with all its attempts. */
const READ_WITHIN = 10_000;
const MOST_ATTEMPTS = 6;
/** An answer that makes no sense may be an accident; most are not. */
const MOST_SENSELESS = 3;
/** Milliseconds before the first repetition at the same node; twice as long before each further one. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;
/** Failures in a row after which a node is left alone, and for how long at first and at most, in milliseconds. */
const FAILURES_TO_REST = 3;
const SHORTEST_REST = 1_000;
const LONGEST_REST = 30_000;
/** Milliseconds between two looks at all nodes. */
const LOOK_EVERY = 10_000;
/** Slots behind the best node at which another one is asked first. */
const MOST_BEHIND = 25n;
/** Scans are as long as the token has holders, and the reader of pages has limits of its own. */
const UNLIMITED = Number.POSITIVE_INFINITY;

interface Node extends ClusterNode {
  genesis: string | undefined;
  failures: number;
  /** By `performance.now()`. */
  restUntil: number;
  isBehind: boolean;
  /** It failed last because it answered from before what was asked for. */
  answersLate: boolean;
}

export interface ClusterChainOptions {
  readonly nodes: readonly ClusterNode[];
  readonly meter?: ChainNodeMeter | undefined;
}

export function createClusterChain({ nodes: given, meter }: ClusterChainOptions): Chain {
  const nodes: readonly Node[] = given.map((node) => ({
    ...node,
    genesis: undefined,
    failures: 0,
    restUntil: 0,
    isBehind: false,
    answersLate: false,
  }));
  const hasSeveral = nodes.length > 1;
  /** Of the cluster: what the first node said that answered. */
  let genesis: string | undefined;
  /** By which accounts were shown last. */
  let shownBy: Node | undefined;
  let lookedAt = performance.now();
  meter?.watch(() => nodes.map((node) => ({ host: node.host, state: stateOf(node) })));

  const isForeign = (node: Node) => node.genesis !== undefined && node.genesis !== genesis;

  function stateOf(node: Node): ChainNodeState {
    if (isForeign(node)) return 'foreign';
    if (node.restUntil > 0) return node.answersLate ? 'behind' : 'failing';
    return node.isBehind ? 'behind' : 'well';
  }

  function succeeded(node: Node): void {
    node.failures = 0;
    node.restUntil = 0;
    node.answersLate = false;
  }

  function failed(node: Node, isSlow: boolean): void {
    node.failures = isSlow ? Math.max(FAILURES_TO_REST, node.failures + 1) : node.failures + 1;
    if (node.failures < FAILURES_TO_REST) return;
    const rest = Math.min(SHORTEST_REST * 2 ** (node.failures - FAILURES_TO_REST), LONGEST_REST);
    node.restUntil = performance.now() + rest;
  }

  /** The first that is well and not among those asked already, else the one that is the least unwell. */
  function choose(asked: ReadonlySet<Node>): Node | undefined {
    const rank = (node: Node) =>
      (node.restUntil > 0 ? 4 : 0) + (node.isBehind ? 2 : 0) + (asked.has(node) ? 1 : 0);
    const usable = nodes.filter((node) => !isForeign(node));
    return usable.reduce<Node | undefined>(
      (best, node) => (best === undefined || rank(node) < rank(best) ? node : best),
      undefined,
    );
  }

  /** No node is asked anything before it has said that it is one of this cluster. */
  async function learnGenesis(node: Node): Promise<void> {
    if (!hasSeveral || node.genesis !== undefined) return;
    const found = await node.chain.genesisHash();
    genesis ??= found;
    node.genesis = found;
    if (isForeign(node))
      throw new ChainUnavailable(`the chain node at ${node.host} is one of another chain (genesis ${found})`);
  }

  async function attempt<T>(
    node: Node,
    name: string,
    milliseconds: number,
    call: (chain: Chain) => Promise<T>,
  ): Promise<T> {
    let problem: unknown;
    let isSlow = false;
    try {
      const answering = learnGenesis(node).then(() => call(node.chain));
      const found = Number.isFinite(milliseconds)
        ? await inTime(answering, milliseconds, () => {
            isSlow = true;
            return late(node);
          })
        : await answering;
      succeeded(node);
      return found;
    } catch (error) {
      problem = error;
      node.answersLate = error instanceof ChainBehind;
      if (error instanceof ChainUnavailable) failed(node, isSlow);
      // It answered, and others may have asked it something that makes sense.
      else succeeded(node);
      throw error;
    } finally {
      meter?.called(node.host, name, outcomeOf(problem));
    }
  }

  async function read<T>(
    name: string,
    call: (chain: Chain, node: Node) => Promise<T>,
    {
      within = READ_WITHIN,
      notFirst,
    }: { readonly within?: number; readonly notFirst?: Node | undefined } = {},
  ): Promise<T> {
    const until = performance.now() + within;
    const asked = new Set<Node>(notFirst === undefined ? [] : [notFirst]);
    let senseless = 0;
    lookAtAll();
    for (let attempts = 1; ; attempts++) {
      const node = choose(asked);
      if (node === undefined) throw new ChainUnavailable('no node of CHAIN_URL is one of this chain');
      const left = until - performance.now();
      // A node that hangs must leave time for another attempt.
      const share = attempts === MOST_ATTEMPTS ? left : left * 0.6;
      try {
        return await attempt(node, name, share, (chain) => call(chain, node));
      } catch (error) {
        if (!isWorthAnother(error)) throw error;
        if (error instanceof ChainAnswerInvalid) senseless += 1;
        const isNewNext = nodes.some((each) => !isForeign(each) && each !== node && !asked.has(each));
        asked.add(node);
        const pause = isNewNext ? 0 : pauseBefore(attempts - nodes.length, error);
        const isLast = attempts >= MOST_ATTEMPTS || senseless >= MOST_SENSELESS;
        if (isLast || performance.now() + pause >= until) throw error;
        if (pause > 0) await sleep(pause);
        // A busy process wakes up late.
        if (performance.now() >= until) throw error;
      }
    }
  }

  /** Nodes that rest are tried, and those that are behind are found, without anyone waiting for it. */
  function lookAtAll(): void {
    if (!hasSeveral || performance.now() - lookedAt < LOOK_EVERY) return;
    lookedAt = performance.now();
    const due = nodes.filter(
      (node) => !isForeign(node) && (node.restUntil === 0 || node.restUntil <= performance.now()),
    );
    const looks = due.map(async (node) => ({
      node,
      slot: (await attempt(node, 'tip', READ_WITHIN, (chain) => chain.tip('confirmed'))).slot,
    }));
    void Promise.allSettled(looks).then((results) => {
      const tips = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const best = tips.reduce((most, { slot }) => (slot > most ? slot : most), 0n);
      for (const { node, slot } of tips) node.isBehind = best - slot > MOST_BEHIND;
    });
  }

  async function genesisOfAll(): Promise<string> {
    if (!hasSeveral) return read('genesisHash', (chain) => chain.genesisHash());
    const answers = await Promise.allSettled(
      nodes.map(async (node) => {
        const found = await attemptGenesis(node);
        return { host: node.host, found };
      }),
    );
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const [first] = found;
    if (first === undefined) throw answers.find((answer) => answer.status === 'rejected')?.reason;
    const isFirstTime = genesis === undefined;
    genesis ??= first.found;
    for (const node of nodes)
      node.genesis = found.find(({ host }) => host === node.host)?.found ?? node.genesis;
    const foreign = found.find((answer) => answer.found !== genesis);
    if (isFirstTime && foreign !== undefined) {
      genesis = undefined;
      throw new OperatorError(
        `CHAIN_URL names nodes of different chains: ${found.map(({ host, found: hash }) => `${host} (genesis ${hash})`).join(', ')}. Remove those of another chain.`,
      );
    }
    if (found.every((answer) => answer.found !== genesis)) return first.found;
    return genesis;
  }

  async function attemptGenesis(node: Node): Promise<string> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await inTime(node.chain.genesisHash(), READ_WITHIN / 2, () => late(node));
      } catch (error) {
        if (attempts >= MOST_SENSELESS || !isWorthAnother(error)) throw error;
        await sleep(pauseBefore(attempts, error));
      }
    }
  }

  async function sendToAll(wire: Uint8Array): Promise<void> {
    // A node that has not been heard of since the start may be one of another chain.
    const rightful = nodes.filter((node) => !hasSeveral || (node.genesis !== undefined && !isForeign(node)));
    if (rightful.length === 0) throw new ChainUnavailable('no node of CHAIN_URL has answered yet');
    const results = await Promise.allSettled(
      rightful.map((node) => attempt(node, 'send', READ_WITHIN, (chain) => chain.send(wire))),
    );
    if (results.some(({ status }) => status === 'fulfilled')) return;
    throw results.find((result) => result.status === 'rejected')?.reason;
  }

  return {
    genesisHash: genesisOfAll,
    slotsBehind: () => read('slotsBehind', (chain) => chain.slotsBehind()),
    recentBlockhash: () => read('recentBlockhash', (chain) => chain.recentBlockhash()),
    tip: (...asked) => read('tip', (chain) => chain.tip(...asked)),
    slotMilliseconds: () => read('slotMilliseconds', (chain) => chain.slotMilliseconds()),
    slotLeader: () => read('slotLeader', (chain) => chain.slotLeader()),
    epoch: () => read('epoch', (chain) => chain.epoch()),
    accounts: (...asked) => read('accounts', (chain) => chain.accounts(...asked)),
    accountsAt: (addresses, commitment, { elsewhere = false, ...asked } = {}) =>
      read(
        'accountsAt',
        async (chain, node) => {
          const shown = await chain.accountsAt(addresses, commitment, asked);
          shownBy = node;
          return shown;
        },
        elsewhere ? { notFirst: shownBy } : {},
      ),
    balance: (address) => read('balance', (chain) => chain.balance(address)),
    rentExemption: (size) => read('rentExemption', (chain) => chain.rentExemption(size)),
    recentPrices: (writable) => read('recentPrices', (chain) => chain.recentPrices(writable)),
    simulate: (...asked) => read('simulate', (chain) => chain.simulate(...asked)),
    statuses: (signatures) => read('statuses', (chain) => chain.statuses(signatures)),
    signaturesOf: (...asked) => read('signaturesOf', (chain) => chain.signaturesOf(...asked)),
    transaction: (...asked) => read('transaction', (chain) => chain.transaction(...asked)),
    send: sendToAll,

    async tokenAccounts(mint, asked = {}) {
      const { after } = asked;
      const paged = (node: Node, page: Awaited<ReturnType<Chain['tokenAccounts']>>) => ({
        ...page,
        next: page.next === undefined ? undefined : `${nodes.indexOf(node)}/${page.next}`,
      });
      if (after === undefined)
        return read(
          'tokenAccounts',
          async (chain, node) => paged(node, await chain.tokenAccounts(mint, asked)),
          { within: UNLIMITED },
        );
      // A place in one node's list means nothing to another.
      const [number = '', ...place] = after.split('/');
      const node = nodes[Number(number)];
      if (node === undefined) throw new ChainUnavailable('this scan has to begin again');
      const page = () =>
        attempt(node, 'tokenAccounts', UNLIMITED, (chain) =>
          chain.tokenAccounts(mint, { ...asked, after: place.join('/') }),
        );
      // Of several nodes behind one address, one may be a moment behind the one that showed the first page.
      for (let attempts = 1; ; attempts++) {
        try {
          return paged(node, await page());
        } catch (error) {
          if (!(error instanceof ChainBehind) || attempts === MOST_ATTEMPTS) throw error;
          await sleep(pauseBefore(attempts, error));
        }
      }
    },

    // Asked of one node, once: lamports that are given twice are no repetition of a read.
    async airdrop(address, lamports) {
      const node = choose(new Set());
      if (node === undefined) throw new ChainUnavailable('no node of CHAIN_URL is one of this chain');
      await attempt(node, 'airdrop', UNLIMITED, (chain) => chain.airdrop(address, lamports));
    },
  };
}

function late({ host }: ClusterNode): ChainUnavailable {
  return new ChainUnavailable(`the chain node at ${host} does not answer in time`);
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid;
}

function pauseBefore(repetition: number, error: unknown): number {
  const asked = error instanceof ChainBusy ? (error.askAfter ?? 0) : 0;
  const longest = Math.min(FIRST_PAUSE * 2 ** Math.max(0, repetition), LONGEST_PAUSE);
  // Many that were refused together must not come back together.
  return asked + longest * (0.5 + Math.random() / 2);
}
