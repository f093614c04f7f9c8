/**
 * One wallet, one token, after drafts were recorded: two drafts for one wallet may be open for a moment, and only the one
 * that holds the wallet's claim is submitted.
 *
 * - Claims are appended to the wallet's stream at the revision that was read, so they have one order, and each names the
 *   earlier drafts that were still open.
 * - Before its submission is accepted, a draft must be the one that claimed the wallet last, and must have ended every
 *   earlier draft that its claim names. So of two drafts the later one either finds the earlier one accepted, and is
 *   refused, or has ended it.
 * - A draft that finds a later claim is over if the later draft is recorded. If it is not, that draft is fenced off, so
 *   that its recording fails, and the wallet is claimed back: whatever kept that draft from being recorded has not
 *   ended this one.
 *
 * Every step may be repeated, by anybody and after any interruption.
 */
import type { Position } from '../kernel/ports/event-store.ts';
import { type Cause, causeOf, type Executor } from '../kernel/runtime/execute.ts';
import { distributionWallet, type WalletClaim } from '../streams/distribution-wallet.ts';
import { draft } from '../streams/draft.ts';
import { type DraftState, isUnderWay } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';
import { decideAbandonment, decideSuperseding } from './decide-ending.ts';
import { type ClaimRequest, decideReclaim } from './decide-wallet-claim.ts';
import { superseded } from './superseded.ts';
import { walletAlreadyUsed } from './wallet-claim.ts';

/** Each further try means that another draft for the same wallet was claimed in between. */
const TRIES = 10;

/**
 * Makes the recorded draft the only one for its wallet that can be submitted. Rejects with `WALLET_ALREADY_USED` when
 * an earlier draft was submitted, and with `TRANSACTION_SUPERSEDED` when a later one is recorded.
 */
export async function holdWallet(executor: Executor, request: ClaimRequest, cause: Cause): Promise<void> {
  const { walletId, transactionId } = request;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { claim, revision } = await lastClaim(executor, request);
    if (claim === undefined) throw new Error(`the wallet ${walletId} of a recorded draft is not claimed`);
    if (claim.transactionId === transactionId) {
      if (await endEarlier(executor, claim, cause)) return;
      throw walletAlreadyUsed();
    }
    if (await isRecorded(executor, claim.transactionId, cause)) {
      const { state: own } = await end(executor, transactionId, claim.transactionId, ownCause(cause));
      // The same submission was accepted meanwhile: its outcome is the answer.
      if (isUnderWay(own)) return;
      throw superseded();
    }
    await executor.execute(distributionWallet, walletId, cause, (current, loaded) =>
      decideReclaim(current, request, { isAsRead: loaded.revision === revision }),
    );
  }
  throw rejection('CONCURRENT_CHANGE', 'Other drafts are being made for this wallet; try again.', {
    retryAfterSeconds: 1,
  });
}

/**
 * What is known suffices where it is the draft's own: a later claim names this draft, and either finds it accepted or has
 * ended it, whichever append to the draft's stream comes first.
 */
async function lastClaim(executor: Executor, { walletId, transactionId }: ClaimRequest) {
  const known = await executor.known(distributionWallet, walletId);
  const isOwn = known.state?.claim?.transactionId === transactionId;
  const { state, revision } = isOwn ? known : await executor.load(distributionWallet, walletId);
  return { claim: state?.claim, revision };
}

/**
 * Ends the earlier drafts for the wallet, once the draft that took their place is recorded. Rejects with
 * `WALLET_ALREADY_USED`, and ends the draft, when an earlier one was submitted in the meantime. Gives the position of
 * what it recorded.
 */
export async function replaceEarlier(
  executor: Executor,
  { walletId, transactionId }: ClaimRequest,
  cause: Cause,
): Promise<Position | undefined> {
  const { state } = await executor.known(distributionWallet, walletId);
  // The draft that holds the wallet now ends this one as well.
  if (state?.claim?.transactionId !== transactionId) return undefined;
  let last: Position | undefined;
  for (const earlier of state.claim.earlier) {
    const ended = await end(executor, earlier, transactionId, cause);
    if (isUsed(ended.state)) {
      await end(executor, transactionId, earlier, ownCause(cause));
      throw walletAlreadyUsed();
    }
    if (ended.position !== undefined && (last === undefined || ended.position > last)) last = ended.position;
  }
  return last;
}

/** False if one of them was submitted: the wallet is its. */
async function endEarlier(executor: Executor, claim: WalletClaim, cause: Cause): Promise<boolean> {
  for (const earlier of claim.earlier) {
    const { state } = await end(executor, earlier, claim.transactionId, cause);
    if (isUsed(state)) return false;
  }
  return true;
}

function end(executor: Executor, transactionId: string, by: string, cause: Cause) {
  return executor.execute(draft, transactionId, cause, (state) =>
    decideSuperseding(state, { transactionId, by }),
  );
}

/** False for a draft that is not recorded; its recording, if it is on the way, then fails. */
async function isRecorded(executor: Executor, transactionId: string, cause: Cause): Promise<boolean> {
  const { state } = await executor.execute(draft, transactionId, cause, (current) =>
    decideAbandonment(current, { transactionId }),
  );
  return state.status !== 'absent';
}

/** Submitted, and not failed. */
function isUsed(state: DraftState): boolean {
  return isUnderWay(state) && state.status !== 'failed';
}

/** For the command's own stream, where an event of the command would count as what it was to record. */
function ownCause({ correlationId, commandId, traceparent }: Cause): Cause {
  const context = { correlationId, causationId: commandId };
  return causeOf('drafts', traceparent === undefined ? context : { ...context, traceparent });
}
