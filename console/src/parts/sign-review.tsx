/** Review of a transaction: cost, expiry, instructions and outcome. The wallet may disconnect and reconnect. */

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { SOL_DECIMALS } from '../format/amounts.ts';
import { fromBase64Bytes } from '../format/bytes.ts';
import { countdown } from '../format/times.ts';
import { instructionsOf } from '../format/transaction.ts';
import { now } from '../service.ts';
import { connected, lost } from '../wallet.ts';
import { Address, Detail, Exact, Words } from './basics.tsx';
import { type Progress, type SigningProps, useSigning } from './use-signing.ts';
import { WalletButton } from './wallet-button.tsx';

interface ReviewProps<Outcome> extends SigningProps<Outcome> {
  readonly verb: string;
  /** Entries of a `dl`. */
  readonly children: ComponentChildren;
  /** True for a resumed draft, which is not cancelled on leaving. */
  readonly stays?: boolean;
  readonly onBack: () => void;
}

export function SignReview<Outcome>(props: ReviewProps<Outcome>) {
  const { draft, signer, verb, children, stays = false, onBack } = props;
  const title = useId();
  const { progress, trouble, isOver, refusal, sign } = useSigning(props);
  const own = connected.value?.account.address === signer ? connected.value : undefined;
  const back = async () => {
    // Cancel the draft, because open drafts per wallet are limited. A resumed draft expires instead.
    const params = { path: { transactionId: draft.transactionId } };
    if (!isOver && !stays)
      await own?.client.post('/transactions/{transactionId}/cancel', { params }).catch(() => {});
    onBack();
  };
  return (
    <section class="card review" aria-labelledby={title}>
      <h2 id={title}>
        Review and sign{' '}
        <span class="sub">{isOver ? 'over' : `valid for ${countdown(draft.expiresAt, now.value)}`}</span>
      </h2>
      <dl class="sums">
        {children}
        {draft.cost !== undefined && (
          <Detail name="You pay">
            <Exact units={draft.cost} decimals={SOL_DECIMALS} unit="SOL" />
            <small>in total, with the chain’s rent and fees</small>
          </Detail>
        )}
      </dl>
      <h3>Instructions</h3>
      <ol class="told">
        {instructionsOf(fromBase64Bytes(draft.transaction)).map(({ program, action }, index) => (
          <li key={index}>
            <b>{program}</b> <Words text={action} />
          </li>
        ))}
      </ol>
      <Steps progress={progress} />
      {isOver && (
        <p class="fault" role="alert">
          {refusal === undefined
            ? `Expired. Nothing was sent and nothing was paid. ${stays ? 'Create' : 'Prepare'} the transaction again.`
            : `No longer signable: ${refusal}`}
        </p>
      )}
      <p class="fault" role="alert">
        {trouble}
      </p>
      {own === undefined && !isOver && progress !== 'submitted' && (
        <SignerGone signer={signer} stays={stays} />
      )}
      <p class="actions">
        {isOver ? (
          <button type="button" onClick={onBack}>
            {stays ? 'Back' : 'Prepare again'}
          </button>
        ) : (
          <>
            <button
              type="button"
              disabled={progress !== 'unsigned' || own === undefined}
              onClick={() => void sign()}
            >
              {BUSY[progress] ?? verb}
            </button>
            <button
              type="button"
              class="quiet"
              disabled={progress !== 'unsigned'}
              onClick={() => void back()}
            >
              {stays ? 'Not now' : 'Edit'}
            </button>
          </>
        )}
      </p>
    </section>
  );
}

const BUSY: { readonly [progress in Progress]?: string } = {
  signing: 'Waiting for the wallet …',
  submitted: 'Waiting for the chain …',
};

/** Notice that the signer is disconnected; after reconnecting, it can still sign the open draft. */
function SignerGone({ signer, stays }: { readonly signer: string; readonly stays: boolean }) {
  const other = connected.value?.account.address;
  return (
    <>
      <div role="alert">
        <p class="fault">
          {other === undefined ? (
            (lost.value ?? 'No wallet is connected.')
          ) : (
            <>
              Another wallet is connected now: <Address of={other} name="its address" />.
            </>
          )}
        </p>
        <p>
          Nothing was sent and nothing was paid. While the transaction is valid,{' '}
          <Address of={signer} name="the signer" /> can still sign. To sign, connect this wallet again.
          {!stays && ' To use another wallet, connect it and edit the transaction.'}
        </p>
      </div>
      {other === undefined && <WalletButton />}
    </>
  );
}

function Steps({ progress }: { readonly progress: Progress }) {
  return (
    <div role="status">
      <ol class="proof">
        <li class={progress === 'submitted' ? 'holds' : ''}>Signed by your wallet</li>
        <li>Confirmed by the chain</li>
      </ol>
    </div>
  );
}
