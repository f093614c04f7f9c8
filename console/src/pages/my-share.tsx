/** A wallet's payments and owed amounts for a token, with reasons and proofs. */

import type { GetHolderAnswer } from 'levy-client';
import { useLocation } from 'preact-iso';
import { reasonText } from '../format/reasons.ts';
import { Detail, PageLink } from '../parts/basics.tsx';
import { WalletField } from '../parts/wallet-field.tsx';
import { BothAssets, type PayingToken, WalletPayments } from '../parts/wallet-payments.tsx';

export function MyShare({ token, closed }: { readonly token: PayingToken; readonly closed: number }) {
  const { query, path, route } = useLocation();
  const wallet = query.wallet ?? '';
  return (
    <section class="card share" aria-labelledby="share">
      <h2 id="share">My share</h2>
      <WalletField
        wallet={wallet}
        onLookUp={(asked) =>
          route(asked === '' ? path : `${path}?${new URLSearchParams({ wallet: asked })}`, true)
        }
      />
      {wallet === '' ? (
        <p class="meta">Payments, amounts owed and proofs of any wallet.</p>
      ) : (
        <>
          <WalletPayments key={wallet} token={token} wallet={wallet} lastRun={closed}>
            {(holder) => <Sums token={token} holder={holder} />}
          </WalletPayments>
          <p class="meta">
            <PageLink to={`wallets/${wallet}`}>All tokens of this wallet</PageLink>
          </p>
        </>
      )}
    </section>
  );
}

function Sums({ token, holder }: { readonly token: PayingToken; readonly holder: GetHolderAnswer }) {
  return (
    <dl class="sums" aria-live="polite">
      <Detail name="Paid so far">
        <BothAssets token={token} sums={holder.paidByAsset} />
      </Detail>
      <Detail name="Owed">
        <BothAssets token={token} sums={holder.owedByAsset} />
        <small>{owedText(holder)}</small>
      </Detail>
    </dl>
  );
}

function owedText({ owedByAsset: owed, reason, runs }: GetHolderAnswer): string {
  if (reason === 'planned' && owed.sol === '0' && owed.token === '0') return 'Everything was paid.';
  if (reason !== null) return reasonText(reason);
  return runs.length === 0
    ? 'There was no run yet.'
    : 'The last run did not find this wallet among the holders.';
}
