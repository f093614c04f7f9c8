/** Creators who play whole flows, each one after the other, from the wallet to the confirmed token. */
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
  /** Flows a second, once it is warm. */
  readonly rate: number;
  /** Milliseconds of each step that ended in that time. */
  readonly taken: Readonly<Record<Step, readonly number[]>>;
  /** Seconds of processor time, in each second. */
  readonly shares: Readonly<Record<Part | 'creators', number>>;
}

/** `processorSeconds`: of each part since its start. Rejects when a step of a flow fails. */
export async function playFlows<Part extends string>(
  creators: readonly Creator[],
  { warmUpMilliseconds, milliseconds }: FlowTimes,
  processorSeconds: () => Readonly<Record<Part, number>>,
): Promise<PlayedFlows<Part>> {
  const players = await Promise.all(
    creators.map(async (creator) => {
      const { imageUri } = await creator.upload();
      return { creator, imageUri, key: createKeyPair(creator.keypair.secretKey.subarray(0, 32)) };
    }),
  );
  const begin = performance.now() + warmUpMilliseconds;
  const end = begin + milliseconds;
  const taken: Record<Step, number[]> = { wallet: [], 'create-unsigned': [], submit: [], flow: [] };
  async function timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    const now = performance.now();
    if (now >= begin && now < end) taken[step].push(now - start);
    return result;
  }
  const secondsOfAll = (): Record<string, number> => {
    const { user, system } = process.cpuUsage();
    return { ...processorSeconds(), creators: (user + system) / 1e6 };
  };

  const spending = pause(warmUpMilliseconds).then(async () => {
    const before = secondsOfAll();
    await pause(milliseconds);
    return Object.entries(secondsOfAll()).map(
      ([part, seconds]) => [part, ((seconds - (before[part] ?? 0)) * 1_000) / milliseconds] as const,
    );
  });
  await Promise.all(
    players.map(async ({ creator, imageUri, key }) => {
      while (performance.now() < end) {
        await timed('flow', async () => {
          const { walletId } = await timed('wallet', () => creator.generateWallet());
          const input = await creator.tokenInput({ walletId, imageUri });
          const draft = await timed('create-unsigned', () => creator.draft(input));
          const json = {
            transactionId: draft.transactionId,
            signedTransaction: signed(draft, (message) => key.sign(message)),
          };
          const { status, body } = await timed('submit', () =>
            creator.call('POST', '/tokens/submit', { json }),
          );
          if (status !== 200) throw new Error(`a submission ended with ${status}: ${JSON.stringify(body)}`);
        });
      }
    }),
  );
  return {
    rate: (taken.flow.length * 1_000) / milliseconds,
    taken,
    shares: Object.fromEntries(await spending) as Record<Part | 'creators', number>,
  };
}

/** The middle and the 95th of a hundred of each step. */
export function stepTimes(all: readonly Pick<PlayedFlows<never>, 'taken'>[]): readonly string[] {
  return STEPS.map((step) => {
    const ascending = all.flatMap(({ taken }) => taken[step]).sort((a, b) => a - b);
    return `${step} ${written(quantile(ascending, 0.5))} / ${written(quantile(ascending, 0.95))} ms`;
  });
}

/** `shares` as they are written: service 106 %, chain 24 %. */
export function ofACore(shares: Readonly<Record<string, number>>): string {
  const each = Object.entries(shares).map(([part, share]) => `${part} ${Math.round(share * 100)} %`);
  return `of a core: ${each.join(', ')}`;
}

/** Resolves when the service has made so many nonce accounts. */
export async function nonceAccountsAreThere(url: string, count: number): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const text = await (await fetch(`${url}/ready`)).text();
    const known = /"nonceAccounts":(\d+)/.exec(text)?.[1];
    if (Number(known) >= count) return;
    await pause(250);
  }
  throw new Error('the nonce accounts were not made in time');
}

/** The creator's signature is the first one, because the creator pays. */
function signed({ transaction }: Draft, sign: (message: Uint8Array) => Uint8Array): string {
  const wire = Buffer.from(transaction, 'base64');
  const message = wire.subarray(1 + (wire[0] ?? 0) * 64);
  wire.set(sign(message), 1);
  return wire.toString('base64');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
