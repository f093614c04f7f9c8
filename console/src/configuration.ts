/** Public configuration of the service, requested once. With the embedded chain it also loads the test wallet. */
import { signal } from '@preact/signals';
import type { PublicConfiguration } from 'levy-client';
import { levy, retryAfter } from './service.ts';

export const configuration = signal<PublicConfiguration | undefined>(undefined);

const RETRY = 3_000;

export async function askConfiguration(): Promise<void> {
  try {
    configuration.value = await levy.get('/config');
  } catch (error) {
    setTimeout(() => void askConfiguration(), Math.max(RETRY, retryAfter(error) ?? 0));
    return;
  }
  if (configuration.value.faucet) (await import('./test-wallet.ts')).offerTestWallet();
}
