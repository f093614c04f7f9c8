/**
 * Gathers the chain's evidence about an outcome that an operator claims. Reads final blocks only, and all accounts at one slot.
 */
import { addressBytes, addressOf, decodeMessage, fromBase58, verify } from 'levy-solana-wire';
import { messageIn } from '../../chain/decode-submitted.ts';
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Chain, ChainAccount, ChainTip } from '../../kernel/ports/chain.ts';
import { type IssuedDraft, nonceOf } from '../../streams/draft-events.ts';
import { acceptedOf, knownSignature, type LivingDraft } from '../../streams/draft-state.ts';
import { behaviourOf } from '../purposes/index.ts';
import { isOver } from '../settling/draft-outcomes.ts';
import { deciderIn } from '../settling/outcome-search.ts';
import type { ClaimedTransaction, LookedUp, OutcomeClaim } from './decide-conclusion.ts';

export async function lookUpOutcome(
  chain: Pick<Chain, 'tip' | 'accountsAt' | 'statuses' | 'transaction'>,
  state: LivingDraft,
  claim: OutcomeClaim,
): Promise<LookedUp> {
  const { issued } = state;
  const tip = await chain.tip('finalized');
  const places = placesOf(issued);
  const looks = await Promise.all(
    // A node may omit an account, so read the accounts from a second node as well, if configured.
    [false, true].map((elsewhere) =>
      chain.accountsAt(places.addresses, 'finalized', { atLeastSlot: tip.slot, elsewhere }),
    ),
  );
  const made = looks.map(({ accounts }) => places.made(accounts));
  const accepted = acceptedOf(state)?.signature;
  const known = knownSignature(state);
  const [status] = known === undefined ? [] : await chain.statuses([known]);
  return {
    accepted,
    isOver: looks.every(({ accounts }) => isPast(issued, accounts[0], tip)),
    made: (['yes', 'untold'] as const).find((each) => made.includes(each)) ?? 'no',
    recordedHasSucceeded:
      status !== undefined && status.error === undefined && status.commitment === 'finalized',
    claimed: claim.outcome === 'landed' ? await claimedTransaction(chain, state, claim.signature) : undefined,
  };
}

/** Addresses of the accounts that show whether the draft has landed. */
function placesOf(issued: IssuedDraft) {
  const { creator, subject } = issued;
  const traces = behaviourOf(subject.kind).traces?.({ creator, subject });
  return {
    addresses: [nonceOf(issued)?.nonceAccount ?? creator, ...(traces?.addresses ?? [])],
    made: ([_first, ...rest]: readonly (ChainAccount | undefined)[]) => traces?.made(rest).kind ?? 'untold',
  };
}

/** True if the draft's bytes can no longer land: the nonce value is spent, or the last valid block is final. */
function isPast(issued: IssuedDraft, first: ChainAccount | undefined, tip: ChainTip): boolean {
  const nonce = nonceOf(issued);
  if (nonce === undefined) return isOver(issued, tip);
  const value = first && decodeNonceAccount(first.data)?.value;
  return value !== undefined && value !== nonce.nonceValue;
}

async function claimedTransaction(
  chain: Pick<Chain, 'statuses' | 'transaction'>,
  state: LivingDraft,
  signature: string,
): Promise<ClaimedTransaction> {
  const [transaction, [status]] = await Promise.all([
    chain.transaction(signature, 'finalized'),
    chain.statuses([signature]),
  ]);
  if (transaction !== undefined) {
    const { slot, error } = transaction;
    if (deciderIn(state, { kind: 'found', signature, transaction })?.isOurs !== true)
      return { kind: 'another' };
    return error === undefined ? { kind: 'shown', slot: String(slot) } : { kind: 'failed', error };
  }
  if (status?.commitment === 'finalized' && status.error !== undefined)
    return { kind: 'failed', error: status.error };
  return {
    kind: 'not-shown',
    slot: status?.commitment === 'finalized' ? String(status.slot) : undefined,
    isSigned: isSignatureOf(messageOf(state), signature),
  };
}

/** Wallets may add guard instructions, so only the accepted bytes contain the message that was signed. */
function messageOf(state: LivingDraft): Uint8Array {
  const accepted = acceptedOf(state);
  return accepted === undefined
    ? Buffer.from(state.issued.message, 'base64')
    : messageIn(accepted.signedTransaction);
}

/** A transaction is identified by the signature of its payer, the first account key. */
function isSignatureOf(message: Uint8Array, signature: string): boolean {
  const decoded = decodeMessage(message);
  const payer = decoded.ok ? decoded.message.accountKeys[0] : undefined;
  const bytes = fromBase58(signature);
  return payer !== undefined && bytes !== undefined && verify(addressBytes(addressOf(payer)), message, bytes);
}
