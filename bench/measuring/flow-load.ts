/** Creators that run whole flows one after another, from the wallet to the confirmed token. */
import { createKeyPair } from '../../src/chain/keys.ts';
import type { Creator, Draft } from '../../test/support/creator.ts';
import { quantile } from './alternate.ts';
import { written } from './line.ts';

const STEPS = ['wallet', 'create-unsigned', 'submit', 'flow'] as const;
type Step = (typeof STEPS)[number];

export interface FlowTimes {
  readonly warmUpMilliseconds: number;
  readonly milliseconds: number;
}

export interface PlayedFlows<Part extends string> {
  /** Flows per second after the warm-up. */
  readonly rate: number;
  /** Milliseconds of each step that ended after the warm-up. */
  readonly taken: Readonly<Record<Step, readonly number[]>>;
  /** Seconds of processor time per second. */
  readonly shares: Readonly<Record<Part | 'creators', number>>;
}

/** `processorSeconds`: processor time of each part since its start. Rejects if a step of a flow fails. */
export async function playFlows<Part extends string>(
  creators: readonly Creator[],
  { warmUpMilliseconds, milliseconds }: FlowTimes,
  processorSeconds: () => Readonly<Record<Part, number>>,
): Promise<PlayedFlows<Part>> {
  const players = await Promise.all(creators.map(openPlayer));
  const begin = performance.now() + warmUpMilliseconds;
  const end = begin + milliseconds;
  const taken = nothingTaken();
  const took = (step: Step, start: number, now: number) => {
    if (now >= begin && now < end) taken[step].push(now - start);
  };
  const secondsOfAll = withCreators(processorSeconds);
  const spending = pause(warmUpMilliseconds).then(async () => {
    const before = secondsOfAll();
    await pause(milliseconds);
    return increase(before, secondsOfAll(), milliseconds / 1_000);
  });
  await Promise.all(
    players.map(async (player) => {
      while (performance.now() < end) await playFlow(player, took);
    }),
  );
  const shares = await spending;
  return {
    rate: (taken.flow.length * 1_000) / milliseconds,
    taken,
    shares: shares as Record<Part | 'creators', number>,
  };
}

export interface CountedFlows {
  /** Flows per second. */
  readonly rate: number;
  /** Milliseconds of each step. */
  readonly taken: Readonly<Record<Step, readonly number[]>>;
  /** Milliseconds of processor time of each part per flow. */
  readonly spent: Readonly<Record<string, number>>;
  /** Counters per flow. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Runs a number of flows per creator and waits for their deferred work, so that no flow is counted in part. Rejects
 * if a step of a flow fails.
 */
export async function countFlows(
  creators: readonly Creator[],
  flowsOfEach: number,
  processorSeconds: () => Readonly<Record<string, number>>,
  counted: () => Readonly<Record<string, number>>,
): Promise<CountedFlows> {
  const players = await Promise.all(creators.map(openPlayer));
  const taken = nothingTaken();
  const secondsOfAll = withCreators(processorSeconds);
  const start = performance.now();
  const before = { seconds: secondsOfAll(), counts: counted() };
  await Promise.all(
    players.map(async (player) => {
      for (let flow = 0; flow < flowsOfEach; flow++)
        await playFlow(player, (step, begun, now) => taken[step].push(now - begun));
    }),
  );
  const flows = taken.flow.length;
  const rate = (flows * 1_000) / (performance.now() - start);
  await pause(AFTERMATH);
  return {
    rate,
    taken,
    spent: increase(before.seconds, secondsOfAll(), flows / 1_000),
    counts: increase(before.counts, counted(), flows),
  };
}

/** Milliseconds until drafts are finalized and their nonce accounts are free again. */
const AFTERMATH = 3_000;

interface Player {
  readonly creator: Creator;
  readonly imageUri: string;
  readonly key: ReturnType<typeof createKeyPair>;
}

async function openPlayer(creator: Creator): Promise<Player> {
  const { imageUri } = await creator.upload();
  return { creator, imageUri, key: createKeyPair(creator.keypair.secretKey.subarray(0, 32)) };
}

function nothingTaken(): Record<Step, number[]> {
  return { wallet: [], 'create-unsigned': [], submit: [], flow: [] };
}

async function playFlow(
  { creator, imageUri, key }: Player,
  took: (step: Step, start: number, now: number) => void,
): Promise<void> {
  async function timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    took(step, start, performance.now());
    return result;
  }
  await timed('flow', async () => {
    const { walletId } = await timed('wallet', () => creator.generateWallet());
    const input = await creator.tokenInput({ walletId, imageUri });
    const draft = await timed('create-unsigned', () => creator.draft(input));
    const json = {
      transactionId: draft.transactionId,
      signedTransaction: signed(draft, (message) => key.sign(message)),
    };
    const { status, body } = await timed('submit', () => creator.call('POST', '/tokens/submit', { json }));
    if (status !== 200) throw new Error(`a submission ended with ${status}: ${JSON.stringify(body)}`);
  });
}

/** Adds the processor time of this process, which runs the creators. */
function withCreators(
  processorSeconds: () => Readonly<Record<string, number>>,
): () => Readonly<Record<string, number>> {
  return () => {
    const { user, system } = process.cpuUsage();
    return { ...processorSeconds(), creators: (user + system) / 1e6 };
  };
}

/** Increase of each counter, divided by a number. */
function increase(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  many: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / many]),
  );
}

/** Median and 95th percentile of each step. */
export function stepTimes(all: readonly Pick<PlayedFlows<never>, 'taken'>[]): readonly string[] {
  return STEPS.map((step) => {
    const ascending = all.flatMap(({ taken }) => taken[step]).sort((a, b) => a - b);
    return `${step} ${written(quantile(ascending, 0.5))} / ${written(quantile(ascending, 0.95))} ms`;
  });
}

/** Formats `shares`: service 106 %, chain 24 %. */
export function ofACore(shares: Readonly<Record<string, number>>): string {
  const each = Object.entries(shares).map(([part, share]) => `${part} ${Math.round(share * 100)} %`);
  return `of a core: ${each.join(', ')}`;
}

/** Resolves when the service has created this many nonce accounts. */
export async function nonceAccountsAreThere(url: string, count: number): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const text = await (await fetch(`${url}/ready`)).text();
    const known = /"nonceAccounts":(\d+)/.exec(text)?.[1];
    if (Number(known) >= count) return;
    await pause(250);
  }
  throw new Error('the nonce accounts were not made in time');
}

/** The creator pays, so the creator's signature is the first one. */
function signed({ transaction }: Draft, sign: (message: Uint8Array) => Uint8Array): string {
  const wire = Buffer.from(transaction, 'base64');
  const message = wire.subarray(1 + (wire[0] ?? 0) * 64);
  wire.set(sign(message), 1);
  return wire.toString('base64');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
