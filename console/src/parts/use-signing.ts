/** Hook that signs a draft with the wallet and submits it until its outcome is final. */
import { type LevyClient, LevyError } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { now, sentenceOf } from '../service.ts';
import { connected, signedIn, signTransaction } from '../wallet.ts';

/** Milliseconds between attempts to submit; a repeated call returns the outcome. */
const ASKED = 1_500;

export interface Draft {
  readonly transaction: string;
  readonly transactionId: string;
  readonly expiresAt: string;
  readonly cost?: string;
}

export interface Signed {
  readonly transactionId: string;
  readonly signedTransaction: string;
}

export interface SigningProps<Outcome> {
  readonly draft: Draft;
  /** Address that the draft was created for and that must sign it. */
  readonly signer: string;
  /** Submits the transaction with the signer's client. Must be idempotent. */
  readonly submit: (signed: Signed, client: LevyClient) => Promise<Outcome>;
  readonly onDone: (outcome: Outcome) => void;
}

export type Progress = 'unsigned' | 'signing' | 'submitted';

export function useSigning<Outcome>({ draft, signer, submit, onDone }: SigningProps<Outcome>) {
  const [progress, show] = useState<Progress>('unsigned');
  const [trouble, say] = useState<string>();
  /** Reason why the draft can no longer be signed. */
  const [refusal, refuse] = useState<string>();
  const leave = useLeaving(signer, progress, show);
  const isOver = progress === 'unsigned' && (refusal !== undefined || hasPassed(draft.expiresAt, now.value));

  /** `what`: failed operation, followed by a colon. */
  const stop = (error: unknown, what = '', then = '') => {
    show('unsigned');
    if (error instanceof LevyError && ENDED.has(error.code ?? '')) return refuse(sentenceOf(error));
    say(`${what}${sentenceOf(error)}${then}`);
  };

  const sign = async () => {
    const own = connected.value;
    const isLeft = leave.begin();
    if (own === undefined || isLeft()) return;
    say(undefined);
    show('signing');
    let signed: Signed;
    try {
      const signedTransaction = await signTransaction(draft.transaction);
      if (isLeft()) return;
      signed = { transactionId: draft.transactionId, signedTransaction };
    } catch (error) {
      return isLeft() ? undefined : stop(error, 'The wallet has not signed: ', NOT_SENT);
    }
    show('submitted');
    for (let isTaken = false; ; isTaken = true) {
      try {
        // If another wallet is connected now, call as the signer without affecting the new session.
        const still = connected.value?.account.address === signer ? connected.value : undefined;
        const call = submit(signed, (still ?? own).client);
        return onDone(await (still === undefined ? call : signedIn(call)));
      } catch (error) {
        const isSessionOver = error instanceof LevyError && error.status === 401;
        if (isTaken && isSessionOver) return say(ON_ITS_WAY);
        if (!isWorthRepeating(error)) return stop(error);
        say(sentenceOf(error));
        await new Promise((resolve) => setTimeout(resolve, ASKED));
      }
    }
  };
  return { progress, trouble, isOver, refusal, sign };
}

/** Abandons an attempt when the user leaves the page or disconnects the wallet: a late signature is not sent. */
function useLeaving(signer: string, progress: Progress, show: (progress: Progress) => void) {
  /** Page of the draft. `location` changes on the click, but the page stays mounted until the next one is loaded. */
  const [page] = useState(location.pathname);
  /** Number of the current attempt; late responses of earlier ones are ignored. */
  const attempt = useRef(0);
  const isGone = connected.value?.account.address !== signer;
  useEffect(() => {
    if (!isGone || progress !== 'signing') return;
    attempt.current += 1;
    show('unsigned');
  }, [isGone, progress]);
  useEffect(() => {
    const leave = () => {
      attempt.current += 1;
    };
    return leave;
  }, []);
  return {
    /** Starts an attempt. The returned function reports whether it was abandoned. */
    begin() {
      attempt.current += 1;
      const mine = attempt.current;
      return () => {
        if (mine !== attempt.current) return true;
        // The wallet may disconnect and respond before an effect has run.
        const isGoneNow = connected.value?.account.address !== signer;
        if (!isGoneNow && location.pathname === page) return false;
        show('unsigned');
        return true;
      };
    },
  };
}

const hasPassed = (moment: string, at: number) => Date.parse(moment) <= at;

const NOT_SENT = ' Nothing was sent; you can still sign.';

const ON_ITS_WAY =
  'Your session has ended. Your transaction may have been sent: reconnect your wallet and see My tokens.';

/** Error codes of ended drafts, which can no longer be signed. */
const ENDED: ReadonlySet<string> = new Set([
  'TRANSACTION_EXPIRED',
  'TRANSACTION_SUPERSEDED',
  'TRANSACTION_CANCELLED',
]);

/** True if a repeated call may return the outcome. */
function isWorthRepeating(error: unknown): boolean {
  return (
    !(error instanceof LevyError) ||
    error.code === 'CONFIRMATION_PENDING' ||
    error.retryAfterSeconds !== undefined
  );
}
