/** What a wallet is to sign, until when, what it costs, and what became of it. The wallet may go and come back meanwhile. */

import { type LevyClient, LevyError } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { SOL_DECIMALS } from '../format/amounts.ts';
import { fromBase64Bytes } from '../format/bytes.ts';
import { countdown } from '../format/times.ts';
import { instructionsOf } from '../format/transaction.ts';
import { now, sentenceOf } from '../service.ts';
import { connected, lost, signedIn, signTransaction } from '../wallet.ts';
import { Address, Exact, Words } from './basics.tsx';
import { WalletButton } from './wallet-button.tsx';

/** Milliseconds between two questions for the outcome. */
const ASKED = 1_500;
/** Milliseconds that a reader needs to sign: bytes with less left are replaced before. */
const SIGNING = 10_000;

export interface Draft {
  readonly transaction: string;
  readonly transactionId: string;
  readonly expiresAt: string;
  readonly bytesExpireAt?: string;
  readonly cost?: string;
}

export interface Signed {
  readonly transactionId: string;
  readonly signedTransaction: string;
}

type Progress = 'unsigned' | 'signing' | 'submitted';

interface ReviewProps<Outcome> {
  readonly draft: Draft;
  /** The address that it was made for, and that has to sign it. */
  readonly signer: string;
  /** What the button says. */
  readonly verb: string;
  /** Lines of a `dl`. */
  readonly children: ComponentChildren;
  /** As the signer. Made again, the same call does nothing twice. */
  readonly submit: (signed: Signed, client: LevyClient) => Promise<Outcome>;
  /** It was there before the review, and stays when that is left: nothing is prepared again. */
  readonly stays?: boolean;
  readonly onBack: () => void;
  readonly onDone: (outcome: Outcome) => void;
}

export function SignReview<Outcome>(props: ReviewProps<Outcome>) {
  const { signer, verb, children, stays = false, onBack } = props;
  const title = useId();
  const { draft, progress, trouble, isOver, sign } = useSigning(props);
  const own = connected.value?.account.address === signer ? connected.value : undefined;
  const back = async () => {
    // Wallets may have few drafts at a time. One that stays is over by itself.
    const params = { path: { transactionId: draft.transactionId } };
    if (!isOver && !stays)
      await own?.client.post('/transactions/{transactionId}/cancel', { params }).catch(() => {});
    onBack();
  };
  return (
    <section class="card review" aria-labelledby={title}>
      <h2 id={title}>
        What you sign{' '}
        <span class="sub">{isOver ? 'over' : `valid for ${countdown(draft.expiresAt, now.value)}`}</span>
      </h2>
      <dl class="sums">
        {children}
        {draft.cost !== undefined && (
          <div>
            <dt>You pay</dt>
            <dd>
              <Exact units={draft.cost} decimals={SOL_DECIMALS} unit="SOL" />
              <small>in all, with rent and fees of the chain</small>
            </dd>
          </div>
        )}
      </dl>
      <h3>The transaction does this</h3>
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
          Its time is over. Nothing was sent, and nothing was paid{stays ? '.' : ': prepare it again.'}
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
            {stays ? 'Back' : 'Prepare it again'}
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
              {stays ? 'Not now' : 'Change something'}
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

/** The draft is the wallet's: while it lives, the same wallet can come back and sign it. */
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
          Nothing was sent, and nothing was paid. As long as this is valid,{' '}
          <Address of={signer} name="the signer" /> can still sign it: connect it again.
          {!stays && ' Or change something, and it is prepared anew for the wallet that is connected then.'}
        </p>
      </div>
      {other === undefined && <WalletButton />}
    </>
  );
}

function useSigning<Outcome>({ draft: given, signer, submit, onDone }: ReviewProps<Outcome>) {
  const [draft, replace] = useState(given);
  const [progress, show] = useState<Progress>('unsigned');
  const [trouble, say] = useState<string>();
  /** The address changes with the click on a link; the page stands until the next one is loaded. */
  const [page] = useState(location.pathname);
  /** Counts the tries, so that a wallet that answers after it was gone is not listened to. */
  const attempt = useRef(0);
  const isOver = progress === 'unsigned' && Date.parse(draft.expiresAt) <= now.value;
  const isGone = connected.value?.account.address !== signer;
  useEffect(() => {
    if (!isGone || progress !== 'signing') return;
    attempt.current += 1;
    show('unsigned');
  }, [isGone, progress]);
  // What the wallet signs after its user has left the page is not sent.
  useEffect(() => {
    const leave = () => {
      attempt.current += 1;
    };
    return leave;
  }, []);

  const sign = async () => {
    const own = connected.value;
    if (own === undefined || location.pathname !== page) return;
    attempt.current += 1;
    const mine = attempt.current;
    const isLeft = () => {
      if (mine !== attempt.current) return true;
      if (location.pathname === page) return false;
      show('unsigned');
      return true;
    };
    say(undefined);
    show('signing');
    let signed: Signed;
    try {
      const fresh = await freshBytes(draft, own.client);
      if (isLeft()) return;
      replace(fresh);
      const signedTransaction = await signTransaction(fresh.transaction);
      if (isLeft()) return;
      signed = { transactionId: fresh.transactionId, signedTransaction };
    } catch (error) {
      if (isLeft()) return;
      show('unsigned');
      return say(`The wallet has not signed: ${sentenceOf(error)} Nothing was sent; you can still sign.`);
    }
    show('submitted');
    for (let isTaken = false; ; isTaken = true) {
      try {
        // Another wallet may be connected by now: it is not asked, and its session is not at stake.
        const still = connected.value?.account.address === signer ? connected.value : undefined;
        const call = submit(signed, (still ?? own).client);
        return onDone(await (still === undefined ? call : signedIn(call)));
      } catch (error) {
        const isSessionOver = error instanceof LevyError && error.status === 401;
        if (isTaken && isSessionOver) return say(ON_ITS_WAY);
        say(sentenceOf(error));
        if (!isWorthRepeating(error)) return show('unsigned');
        await new Promise((resolve) => setTimeout(resolve, ASKED));
      }
    }
  };
  return { draft, progress, trouble, isOver, sign };
}

const ON_ITS_WAY =
  'Your session is over. What you signed may be on its way: the page Mine says what became of it, once your wallet is connected again.';

/** Drafts on recent blockhashes live for longer than their bytes. */
async function freshBytes(draft: Draft, client: LevyClient): Promise<Draft> {
  const { transactionId, bytesExpireAt } = draft;
  if (bytesExpireAt === undefined || Date.parse(bytesExpireAt) > Date.now() + SIGNING) return draft;
  const params = { path: { transactionId } };
  return signedIn(client.post('/transactions/{transactionId}/refresh', { params }));
}

function Steps({ progress }: { readonly progress: Progress }) {
  return (
    <div role="status">
      <ol class="proof">
        <li class={progress === 'submitted' ? 'holds' : ''}>Signed by your wallet</li>
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
