/** What this service allows and has: asked once. On the embedded chain there is a test wallet as well. */
import { signal } from '@preact/signals';
import type { PublicConfiguration } from 'levy-client';
import { levy } from './service.ts';

export const configuration = signal<PublicConfiguration | undefined>(undefined);

const RETRY = 3_000;

export async function askConfiguration(): Promise<void> {
  try {
    configuration.value = await levy.get('/config');
  } catch {
    setTimeout(() => void askConfiguration(), RETRY);
    return;
  }
  if (configuration.value.faucet) (await import('./test-wallet.ts')).offerTestWallet();
}
