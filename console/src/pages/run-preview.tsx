/** What a run would do now, worked out when it is asked for: the service looks at the chain for it. */
import type { DistributionPreview, GetTokenAnswer, LevyClient } from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { Exact, Time } from '../parts/basics.tsx';
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
      <h2 id="preview">The next run, if it were now</h2>
      <p class="meta">
        By the saved settings. Nothing is recorded or sent; the real run finds other balances.
      </p>
      <p class="actions">
        <button type="button" class="quiet" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? 'Working it out …' : 'Work it out'}
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
  preview: { scan, amounts, payments, skipped },
  token,
}: {
  readonly preview: DistributionPreview;
  readonly token: GetTokenAnswer['token'];
}) {
  return (
    <>
      <p>
        {skipped === null
          ? `It would pay ${grouped(payments)} wallets.`
          : `No run would be opened: ${skipped.detail}`}
      </p>
      <dl class="sums">
        <div>
          <dt>Holders found</dt>
          <dd>
            {grouped(scan.owners)} <Time at={scan.at} />
          </dd>
        </div>
        <div>
          <dt>Tax that waits</dt>
          <dd>
            <Exact units={scan.withheld} decimals={token.decimals} unit={token.symbol} />
          </dd>
        </div>
        <div>
          <dt>Burned of it</dt>
          <dd>
            <Exact units={amounts.burned} decimals={token.decimals} unit={token.symbol} />
          </dd>
        </div>
      </dl>
    </>
  );
}
