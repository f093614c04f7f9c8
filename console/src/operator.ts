/** What the operator says of the service: asked once. On the embedded chain there is a test wallet as well. */
import { signal } from '@preact/signals';
import type { Configuration } from 'levy-client';
import { levy } from './service.ts';

export const operator = signal<Configuration | undefined>(undefined);

const RETRY = 3_000;

export async function askOperator(): Promise<void> {
  try {
    operator.value = await levy.get('/config');
  } catch {
    setTimeout(() => void askOperator(), RETRY);
    return;
  }
  if (operator.value.faucet) (await import('./test-wallet.ts')).offerTestWallet();
}
