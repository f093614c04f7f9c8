/** What is to be signed, until when, and what became of it. */
import type { CreateUnsignedAnswer, SubmitTokenAnswer } from 'levy-client';
import { LevyError } from 'levy-client';
import { useState } from 'preact/hooks';
import { fromBase64Bytes } from '../format/bytes.ts';
import { countdown } from '../format/times.ts';
import type { TokenForm } from '../format/token-form.ts';
import { instructionsOf } from '../format/transaction.ts';
import { Address, Exact, PageLink, Words } from '../parts/basics.tsx';
import { now, sentenceOf } from '../service.ts';
import { connected, signTransaction } from '../wallet.ts';

const SOL_DECIMALS = 9;
/** Milliseconds between two questions for the outcome. */
const ASKED = 1_500;

type Progress = 'unsigned' | 'signing' | 'submitted';

export function Review({
  draft,
  form,
  onBack,
  onDone,
}: {
  readonly draft: CreateUnsignedAnswer;
  readonly form: TokenForm;
  readonly onBack: () => void;
  readonly onDone: (token: SubmitTokenAnswer) => void;
}) {
  const [progress, show] = useState<Progress>('unsigned');
  const [trouble, say] = useState<string>();
  const isOver = progress === 'unsigned' && Date.parse(draft.expiresAt) <= now.value;

  const sign = async () => {
    const client = connected.value?.client;
    if (client === undefined) return;
    say(undefined);
    show('signing');
    let signedTransaction: string;
    try {
      signedTransaction = await signTransaction(draft.transaction);
    } catch (error) {
      show('unsigned');
      return say(`The wallet has not signed: ${sentenceOf(error)} Nothing was sent; you can still sign.`);
    }
    show('submitted');
    for (;;) {
      try {
        return onDone(
          await client.post('/tokens/submit', {
            body: { transactionId: draft.transactionId, signedTransaction },
          }),
        );
      } catch (error) {
        // The same call again never makes a second token.
        if (!isWorthRepeating(error)) {
          show('unsigned');
          return say(sentenceOf(error));
        }
        say(sentenceOf(error));
        await new Promise((resolve) => setTimeout(resolve, ASKED));
      }
    }
  };

  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">
        What you sign{' '}
        <span class="sub">{isOver ? 'over' : `valid for ${countdown(draft.expiresAt, now.value)}`}</span>
      </h2>
      <dl class="sums">
        <div>
          <dt>Token</dt>
          <dd>
            <Words text={form.name} />{' '}
            <small>
              <Words text={form.symbol} />
            </small>
          </dd>
        </div>
        <div>
          <dt>Mint</dt>
          <dd>
            <Address of={draft.mintKeypair.publicKey} name="the mint’s address" />
          </dd>
        </div>
        {draft.cost !== undefined && (
          <div>
            <dt>You pay</dt>
            <dd>
              <Exact units={draft.cost} decimals={SOL_DECIMALS} unit="SOL" />
              <small>rent and fees, to the chain</small>
            </dd>
          </div>
        )}
      </dl>
      <h3>The transaction does this</h3>
      <ol class="told">
        {instructionsOf(fromBase64Bytes(draft.transaction)).map(({ program, action }, index) => (
          <li key={index}>
            <b>{program}</b> {action}
          </li>
        ))}
      </ol>
      <Steps progress={progress} />
      {isOver && (
        <p class="fault" role="alert">
          The five minutes are over. Nothing was sent, and nothing was paid: prepare it again.
        </p>
      )}
      <p class="fault" role="alert">
        {trouble}
      </p>
      <p class="actions">
        {isOver ? (
          <button type="button" onClick={onBack}>
            Prepare it again
          </button>
        ) : (
          <>
            <button type="button" disabled={progress !== 'unsigned'} onClick={() => void sign()}>
              {progress === 'unsigned'
                ? 'Sign and create'
                : progress === 'signing'
                  ? 'Waiting for the wallet …'
                  : 'Waiting for the chain …'}
            </button>
            <button type="button" class="quiet" disabled={progress !== 'unsigned'} onClick={onBack}>
              Change something
            </button>
          </>
        )}
      </p>
    </section>
  );
}

function Steps({ progress }: { readonly progress: Progress }) {
  const done = progress === 'submitted' ? 1 : 0;
  return (
    <div role="status">
      <ol class="proof">
        <li class={done > 0 ? 'holds' : ''}>Signed by your wallet</li>
        <li>Sent, and confirmed by the chain</li>
      </ol>
    </div>
  );
}

/** Whether the same call may still give the outcome. */
function isWorthRepeating(error: unknown): boolean {
  return (
    !(error instanceof LevyError) ||
    error.code === 'CONFIRMATION_PENDING' ||
    error.retryAfterSeconds !== undefined
  );
}

export function Done({ token: { mintAddress, signature, token } }: { readonly token: SubmitTokenAnswer }) {
  return (
    <section class="card" role="status">
      <h2>
        <Words text={token.name} /> is on the chain
      </h2>
      <dl class="sums">
        <div>
          <dt>Mint</dt>
          <dd>
            <Address of={mintAddress} name="the mint’s address" />
          </dd>
        </div>
        <div>
          <dt>Signature</dt>
          <dd>
            <Address of={signature} name="the signature" />
          </dd>
        </div>
      </dl>
      <p>
        <PageLink to={`tokens/${mintAddress}`}>See its page</PageLink>
      </p>
    </section>
  );
}
