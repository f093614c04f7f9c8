/** Preview of the next distribution, and of the connected wallet's payment. Computed on request, because the service reads the chain for it. */
import type { DistributionPreview, GetTokenAnswer, LevyClient } from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped, unitOfAsset } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Address, Detail, Exact, Time } from '../parts/basics.tsx';
import { useAction } from '../parts/use-action.ts';
import { signedIn } from '../wallet.ts';

export function RunPreview({
  client,
  token,
}: {
  readonly client: LevyClient;
  readonly token: GetTokenAnswer['token'];
}) {
  const [preview, show] = useState<DistributionPreview>();
  const { isBusy, fault, run } = useAction(async () => {
    const params = { path: { tokenId: token.id } };
    show(await signedIn(client.get('/distribution/{tokenId}/preview', { params })));
  });
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">Preview next distribution</h2>
      <p class="meta">
        Estimates a run now, with the current tax, settings and price. Nothing is recorded or sent.
      </p>
      <p class="actions">
        <button type="button" class="quiet" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? 'Previewing …' : 'Preview'}
        </button>
      </p>
      <div role="status">{preview !== undefined && <Worked preview={preview} token={token} />}</div>
      <p class="fault" role="alert">
        {fault}
      </p>
    </section>
  );
}

function Worked({
  preview: { scan, asset, amounts, developerParts, paymentCount, ownPayment, skipped },
  token,
}: {
  readonly preview: DistributionPreview;
  readonly token: GetTokenAnswer['token'];
}) {
  return (
    <>
      <p>
        {skipped === null
          ? `It would pay ${grouped(paymentCount)} wallets.`
          : `No run would be opened: ${skipped.detail}`}
      </p>
      <dl class="sums">
        <Detail name="Holders found">
          {grouped(scan.ownerCount)}{' '}
          <small>
            <Time at={scan.at} />
          </small>
        </Detail>
        <Detail name="Uncollected tax">
          <Exact units={scan.withheld} decimals={token.decimals} unit={token.symbol} />
        </Detail>
        <Detail name="To your wallet">
          <Exact units={ownPayment?.amount ?? '0'} {...unitOfAsset(asset, token)} />
          {ownPayment?.reason !== 'planned' && (
            <small>
              {ownPayment === null ? 'It does not hold the token.' : reasonText(ownPayment.reason)}
            </small>
          )}
        </Detail>
        <Detail name="To be burned">
          <Exact units={amounts.burned} decimals={token.decimals} unit={token.symbol} />
        </Detail>
        {developerParts.map(({ wallet, amount }) => (
          <Detail key={wallet} name="To the developer">
            <Exact units={amount} {...unitOfAsset(asset, token)} />{' '}
            <Address of={wallet} name="the wallet’s address" />
          </Detail>
        ))}
      </dl>
    </>
  );
}
