/** Creators that create tokens one after another despite faults of the service, and record its responses. */
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { createLevyClient, type TokenInput } from 'levy-client';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { creatorWallet, fund, picture, SMALLEST_INPUT, signedBy } from './creator.ts';
import { eventually } from './eventually.ts';
import { createSteadyClient } from './steady-client.ts';

/** Responses that a creator received for one token. */
export interface Made {
  readonly transactionId: string;
  readonly mintAddress: string;
  readonly signature: string;
  /** Settings after the token was created. */
  readonly burnPercent: number;
}

export interface SteadyCreators {
  readonly made: readonly Made[];
  readonly setbacks: ReadonlyMap<string, number>;
  /** Resolves when so many more tokens are made than at the call; rejects with what stopped a creator. */
  goOn(tokens: number): Promise<void>;
  /** Resolves when everybody has ended what he was at. Rejects with what stopped a creator before. */
  stop(): Promise<void>;
}

/** Begins at once. `urls`: of processes that answer calls. */
export function startCreators(options: {
  readonly urls: readonly string[];
  readonly chainUrl: string;
  readonly count: number;
}): SteadyCreators {
  const { urls, chainUrl, count } = options;
  const client = createSteadyClient(urls);
  const made: Made[] = [];
  let stopping = false;
  let stopped: unknown;

  async function create(): Promise<void> {
    const keypair = Keypair.generate();
    await fund(chainUrl, keypair.publicKey.toBase58(), 20 * LAMPORTS_PER_SOL);
    const levy = createLevyClient({
      baseUrl: 'http://levy.example.com',
      // Counts what a flow costs without them.
      idempotencyKeys: false,
      fetch: client.fetch,
    });
    await signIn(levy, keypair);
    const { imageUri } = await levy.uploadImage(new Blob([picture()]));
    for (let number = 1; !stopping; number += 1) {
      const { walletId } = await levy.post('/tokens/generate-distribution-wallet');
      // All that is required; the types ask for defaults too.
      const body = { ...SMALLEST_INPUT, walletId, imageUri } as unknown as TokenInput;
      const { transactionId, transaction, mintKeypair } = await levy.post('/tokens/create-unsigned', {
        body,
      });
      const signedTransaction = signedBy(keypair, transaction);
      const { signature, mintAddress } = await levy.post('/tokens/submit', {
        body: { transactionId, signedTransaction },
      });
      if (mintAddress !== mintKeypair.publicKey) throw new Error(`${transactionId} became ${mintAddress}`);
      const burnPercent = (number % 30) + 1;
      const settings = await levy.patch('/distribution/{tokenId}/settings', {
        params: { path: { tokenId: mintAddress } },
        body: { burnPercent },
      });
      if (settings.burnPercent !== burnPercent)
        throw new Error(`${mintAddress} burns ${settings.burnPercent}`);
      made.push({ transactionId, mintAddress, signature, burnPercent });
    }
  }

  const creating = Array.from({ length: count }, () =>
    create().catch((error: unknown) => {
      stopped ??= error;
    }),
  );

  return {
    made,
    setbacks: client.setbacks,
    async goOn(tokens) {
      const wanted = made.length + tokens;
      await eventually(
        `${tokens} more tokens are made`,
        async () => stopped !== undefined || made.length >= wanted,
        { seconds: 90 },
      );
      if (stopped !== undefined) throw stopped;
    },
    async stop() {
      stopping = true;
      await Promise.all(creating);
      if (stopped !== undefined) throw stopped;
    },
  };
}

/** A challenge is good for one use: whoever never heard what came of it takes another. */
async function signIn(levy: ReturnType<typeof createLevyClient>, keypair: Keypair): Promise<void> {
  await eventually('the wallet is signed in', async () => {
    await levy.signIn(creatorWallet(keypair));
    return true;
  });
}

/** What was told to a creator and is not so in the log, in sentences. */
export function brokenPromises(made: readonly Made[], events: readonly RecordedEvent[]): readonly string[] {
  return made.flatMap(({ transactionId, mintAddress, signature, burnPercent }) => {
    const born = events.find(
      ({ type, data }) => type === 'TokenCreated' && data.transactionId === transactionId,
    );
    if (born === undefined) return [`the token ${mintAddress} is not in the log`];
    if (born.data.signature !== signature) return [`the token ${mintAddress} came by another transaction`];
    const changes = events.filter(
      ({ stream, type }) => stream === born.stream && type === 'DistributionSettingsUpdated',
    );
    const wanted = JSON.stringify({ burnBasisPoints: burnPercent * 100 });
    const found = changes.map(({ data }) => JSON.stringify(data.to)).join();
    return found === wanted ? [] : [`the settings of ${mintAddress} were changed to ${found || 'nothing'}`];
  });
}
