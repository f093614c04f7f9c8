/** Placeholder for content that requires a signed-in wallet, with the reason if the session was lost. */
import { lost } from '../wallet.ts';
import { Empty } from './states.tsx';
import { WalletButton } from './wallet-button.tsx';

export function WalletNeeded({ title }: { readonly title: string }) {
  return (
    <section class="card">
      <Empty title={title}>
        {lost.value !== undefined && (
          <p class="fault" role="alert">
            {lost.value}
          </p>
        )}
        <WalletButton />
      </Empty>
    </section>
  );
}
