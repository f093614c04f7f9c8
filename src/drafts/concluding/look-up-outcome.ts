/**
 * Looks up, for an operator who knows what became of a draft, what the chain says for or against it. Reads only final
 * blocks, and all accounts as one slot showed them.
 */
import { addressBytes, addressOf, decodeMessage, fromBase58, verify } from 'levy-solana-wire';
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { SearchOutcome } from '../../chain/history-search.ts';
import type { Keyring } from '../../chain/keys.ts';
import { judgeLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import type { Chain, ChainAccount, ChainTip } from '../../kernel/ports/chain.ts';
import { type IssuedDraft, nonceOf } from '../../streams/draft-events.ts';
import { acceptedOf, isPending, type LivingDraft } from '../../streams/draft-state.ts';
import { issuedLaunchOf } from '../../streams/recorded-launch.ts';
import { launchSearch } from '../launches/launch-search.ts';
import { behaviourOf } from '../purposes/index.ts';
import { isOver } from '../settling/judge-version.ts';
import { consumptionIn } from '../settling/nonce-search.ts';
import { isMade, versionSearch } from '../settling/version-search.ts';
import { messageIn } from '../settling/wire-message.ts';
import type { ClaimedTransaction, LookedUp, OutcomeClaim } from './decide-conclusion.ts';

interface Parts {
  readonly chain: Pick<Chain, 'tip' | 'accountsAt' | 'statuses' | 'transaction'>;
  readonly keyring: Keyring;
}

export async function lookUpOutcome(
  { chain, keyring }: Parts,
  { transactionId, state }: { readonly transactionId: string; readonly state: LivingDraft },
  claim: OutcomeClaim,
): Promise<LookedUp> {
  const { issued, version } = state;
  const tip = await chain.tip('finalized');
  const places = placesOf(keyring, transactionId, issued);
  const looks = await Promise.all(
    // A node may leave an account out: another node, where there is one, is asked for what it does not show.
    [false, true].map((elsewhere) =>
      chain.accountsAt(places.addresses, 'finalized', { atLeastSlot: tip.slot, elsewhere }),
    ),
  );
  const made = looks.map(({ accounts }) => places.made(accounts));
  const accepted = acceptedOf(state)?.signature;
  const known = state.status === 'confirmed' ? state.landed.signature : accepted;
  const [status] = known === undefined ? [] : await chain.statuses([known]);
  return {
    version,
    accepted,
    isOver: looks.every(({ accounts }) => isPast(issued, accounts[0], tip)),
    made: (['yes', 'untold'] as const).find((each) => made.includes(each)) ?? 'no',
    knownHasSucceeded:
      status !== undefined && status.error === undefined && status.commitment === 'finalized',
    claimed:
      claim.outcome === 'landed'
        ? await claimedTransaction(chain, { state, tip, key: places.key }, claim.signature)
        : undefined,
  };
}

interface Places {
  /** The first is the nonce's, where there is one. */
  readonly addresses: readonly string[];
  /** The draft's own key, if it has one. */
  readonly key: string | undefined;
  made(accounts: readonly (ChainAccount | undefined)[]): LookedUp['made'];
}

/** Which accounts show whether the draft has landed. */
function placesOf(keyring: Keyring, transactionId: string, issued: IssuedDraft): Places {
  const { creator, lifetime, subject } = issued;
  const behaviour = behaviourOf(subject.kind);
  const key = behaviour.signers(keyring, transactionId, lifetime.kind)[0]?.address;
  const first = nonceOf(issued)?.nonceAccount ?? key ?? creator;
  if (subject.kind === 'launch') {
    const launch = issuedLaunchOf(subject, creator);
    return {
      addresses: [first, subject.poolAddress, subject.positionAddress],
      key,
      made([_first, pool, position]) {
        if (judgePool(launch, pool).kind !== 'landed') return 'no';
        // Its owner may have closed the position.
        return judgeLaunch(launch, { pool, position }).kind === 'landed' ? 'yes' : 'untold';
      },
    };
  }
  return {
    addresses: [first, key ?? creator],
    key,
    made: ([_first, own]) => (behaviour.makesAccountOfKey ? (isMade(own) ? 'yes' : 'no') : 'untold'),
  };
}

/** Whether its bytes can no longer land: the nonce's value is spent, or final blocks are past them. */
function isPast(issued: IssuedDraft, first: ChainAccount | undefined, tip: ChainTip): boolean {
  const nonce = nonceOf(issued);
  if (nonce === undefined) return isOver(issued, tip.blockHeight);
  const value = first && decodeNonceAccount(first.data)?.value;
  return value !== undefined && value !== nonce.nonceValue;
}

interface Draft {
  readonly state: LivingDraft;
  readonly tip: ChainTip;
  readonly key: string | undefined;
}

async function claimedTransaction(
  chain: Pick<Chain, 'statuses' | 'transaction'>,
  draft: Draft,
  signature: string,
): Promise<ClaimedTransaction> {
  const [transaction, [status]] = await Promise.all([
    chain.transaction(signature, 'finalized'),
    chain.statuses([signature]),
  ]);
  if (transaction !== undefined) {
    const { slot, error } = transaction;
    if (!isOfDraft(draft, { kind: 'found', signature, transaction })) return { kind: 'another' };
    return error === undefined ? { kind: 'shown', slot: String(slot) } : { kind: 'failed', error };
  }
  if (status?.commitment === 'finalized' && status.error !== undefined)
    return { kind: 'failed', error: status.error };
  return {
    kind: 'not-shown',
    slot: status?.commitment === 'finalized' ? String(status.slot) : undefined,
    isSigned: isSignatureOf(messageOf(draft), signature),
  };
}

function isOfDraft({ state, tip, key }: Draft, found: Extract<SearchOutcome, { kind: 'found' }>): boolean {
  const { issued } = state;
  if (nonceOf(issued) !== undefined) return isPending(state) && consumptionIn(state, found)?.candidate === 0;
  if (issued.subject.kind === 'launch') {
    const { positionMint } = issued.subject;
    return launchSearch(state, { positionMint, commitment: 'finalized', tip }).matches(found.transaction);
  }
  if (!isPending(state) || key === undefined) return false;
  return versionSearch(state, { key, tip }).matches(found.transaction);
}

/** Wallets add guards to what they sign: then only the accepted bytes have the message that was signed. */
function messageOf({ state }: Draft): Uint8Array {
  const accepted = acceptedOf(state);
  return accepted === undefined
    ? Buffer.from(state.issued.message, 'base64')
    : messageIn(accepted.signedTransaction);
}

/** A transaction's signature is that of its payer, its first key. */
function isSignatureOf(message: Uint8Array, signature: string): boolean {
  const decoded = decodeMessage(message);
  const payer = decoded.ok ? decoded.message.accountKeys[0] : undefined;
  const bytes = fromBase58(signature);
  return payer !== undefined && bytes !== undefined && verify(addressBytes(addressOf(payer)), message, bytes);
}
