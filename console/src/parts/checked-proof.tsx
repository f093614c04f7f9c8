/** Checks a payment proof in the browser step by step, and demonstrates that a changed proof is rejected. */
import type { DistributionPayment, GetPaymentProofAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import type { Checked } from '../proof.ts';
import { levy, sentenceOf } from '../service.ts';
import { download } from './download.ts';
import { ProofSteps } from './proof-steps.tsx';

interface Shown {
  readonly file: GetPaymentProofAnswer;
  readonly checked: Checked;
  /** Change applied before the check; undefined for the original. */
  readonly change: string | undefined;
}

export function CheckedProof({
  tokenId,
  runId,
  number,
  payment,
}: {
  readonly tokenId: string;
  readonly runId: string;
  readonly number: number;
  readonly payment: DistributionPayment;
}) {
  const [shown, show] = useState<Shown>();
  const [trouble, tell] = useState<string>();
  const [isBusy, work] = useState(false);
  const { wallet, signature } = payment;

  const act = async (action: () => Promise<void>) => {
    work(true);
    tell(undefined);
    try {
      await action();
    } catch (error) {
      tell(sentenceOf(error));
    } finally {
      work(false);
    }
  };
  const check = () =>
    act(async () => {
      const file = await levy.get('/distribution/{tokenId}/runs/{runId}/payments/{wallet}/proof', {
        params: { path: { tokenId, runId, wallet } },
      });
      const { checkProof } = await import('../proof.ts');
      show({ file, checked: checkProof(file), change: undefined });
    });
  const breakIt = () =>
    act(async () => {
      if (shown === undefined) return;
      const { changed, checkProof, CHANGES } = await import('../proof.ts');
      const at = CHANGES.indexOf(shown.change ?? '') + 1;
      const change = CHANGES[at % CHANGES.length] ?? '';
      show({ file: shown.file, checked: checkProof(changed(shown.file, change)), change });
    });

  return (
    <>
      {shown?.change !== undefined && <p class="meta">Changed before this check: {shown.change}.</p>}
      {shown !== undefined && <ProofSteps checked={shown.checked} signature={signature} />}
      {trouble !== undefined && (
        <p class="fault" role="alert">
          {trouble}
        </p>
      )}
      <p class="actions">
        {shown !== undefined && (
          <>
            <button type="button" onClick={() => download(jsonOf(shown.file), `payment-run-${number}.json`)}>
              Download proof
            </button>
            <button type="button" class="quiet" disabled={isBusy} onClick={breakIt}>
              Tamper with it and check again
            </button>
          </>
        )}
        {(shown === undefined || shown.change !== undefined) && (
          <button type="button" class="quiet" disabled={isBusy} onClick={check}>
            {shown === undefined ? 'Check the proof' : 'Check the original'}
          </button>
        )}
      </p>
    </>
  );
}

const jsonOf = (file: object) => new Blob([JSON.stringify(file, undefined, 1)], { type: 'application/json' });
