/** Whole flows, from the wallet to the confirmed token, by many creators at once against the service with its embedded chain. */
import { createKeyPair } from '../../src/chain/keys.ts';
import { type Creator, type Draft, openCreator } from '../../test/support/creator.ts';
import { quantile } from '../measuring/alternate.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { type RunningService, startService } from '../measuring/service.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const WARM_UP = 3_000;
const MILLISECONDS = 12_000;
/** Each creator has one flow under way. */
const CREATORS = [8, 48];
const SOL = 1_000;
/** A draft holds its nonce account until the chain has finalized it, about 13 seconds. */
const NONCE_ACCOUNTS = '600';

type Step = 'wallet' | 'create-unsigned' | 'submit' | 'flow';

export const flows: Line = () =>
  inTemporaryFolder(async (folder) => {
    const service = await startService(folder, {
      RATE_LIMITS: 'off',
      NONCE_ACCOUNTS_MIN: NONCE_ACCOUNTS,
      NONCE_ACCOUNTS_MAX: '10000',
    });
    try {
      await nonceAccountsAreThere(service);
      const comparisons: Comparison[] = [];
      for (const count of CREATORS) {
        const creators = await Promise.all(
          Array.from({ length: count }, () => openCreator(service, { sol: SOL })),
        );
        comparisons.push(await measure(service, creators));
      }
      return comparisons;
    } finally {
      await service.stop();
    }
  });

async function measure(service: RunningService, creators: readonly Creator[]): Promise<Comparison> {
  const begin = performance.now() + WARM_UP;
  const end = begin + MILLISECONDS;
  const taken: Record<Step, number[]> = { wallet: [], 'create-unsigned': [], submit: [], flow: [] };
  async function timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    const now = performance.now();
    if (now >= begin && now < end) taken[step].push(now - start);
    return result;
  }

  const spent = pause(WARM_UP).then(async () => {
    const [before, own] = [service.processorSeconds(), process.cpuUsage()];
    await pause(MILLISECONDS);
    const [after, { user, system }] = [service.processorSeconds(), process.cpuUsage(own)];
    return {
      service: after.service - before.service,
      chain: after.chain - before.chain,
      clients: (user + system) / 1e6,
    };
  });
  await Promise.all(
    creators.map(async (creator) => {
      const { imageUri } = await creator.upload();
      const key = createKeyPair(creator.keypair.secretKey.subarray(0, 32));
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
  const { service: ours, chain, clients } = await spent;
  const percent = (seconds: number) => `${Math.round((seconds * 100_000) / MILLISECONDS)} %`;
  return {
    what: `create-to-confirmed flows of ${creators.length} creators at once`,
    figures: [
      `${written((taken.flow.length * 1_000) / MILLISECONDS)} flows/s`,
      ...Object.entries(taken).map(([step, times]) => {
        const ascending = times.toSorted((a, b) => a - b);
        return `${step} ${written(quantile(ascending, 0.5))} / ${written(quantile(ascending, 0.95))} ms`;
      }),
      `of a core: service ${percent(ours)}, chain ${percent(chain)}, creators ${percent(clients)}`,
    ].join('; '),
  };
}

/** The creator's signature is the first one, because the creator pays. */
function signed({ transaction }: Draft, sign: (message: Uint8Array) => Uint8Array): string {
  const wire = Buffer.from(transaction, 'base64');
  const message = wire.subarray(1 + (wire[0] ?? 0) * 64);
  wire.set(sign(message), 1);
  return wire.toString('base64');
}

async function nonceAccountsAreThere({ url }: RunningService): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const text = await (await fetch(`${url}/ready`)).text();
    const known = /"nonceAccounts":(\d+)/.exec(text)?.[1];
    if (Number(known) >= Number(NONCE_ACCOUNTS)) return;
    await pause(250);
  }
  throw new Error('the nonce accounts were not made in time');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
