/** Checks that every token's mint has the recorded tax, authorities, supply and metadata. */
import { TOKEN_2022_PROGRAM, U64_MAX } from 'levy-solana-wire';
import { readMint, readTransferFeeConfig } from '../../../chain/token-accounts.ts';
import type { ChainAccount } from '../../../kernel/ports/chain.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { TokenEvent, TokenState, TransferFeeRates } from '../../../streams/token.ts';
import { type Findings, type Place, recordedAt } from '../finding.ts';
import { keyAt, metadataOf, metadataPointerOf, NOBODY } from './mint-metadata.ts';

export interface AuditedToken {
  readonly state: NonNullable<TokenState>;
  /** `taxed`: last event that set the tax; at first, the creation. */
  readonly created: Recorded<TokenEvent>;
  readonly taxed: Recorded<TokenEvent>;
}

const TRANSFER_FEE_CONFIG = 1;

/** `account`: the mint account at commitment `finalized`; undefined if it does not exist. */
export function auditMint(
  { state, created, taxed }: AuditedToken,
  account: ChainAccount | undefined,
  epoch: bigint,
  findings: Findings,
): void {
  const { token } = state.created;
  const place: Place = {
    ...recordedAt(created),
    account: token.mintAddress,
    signature: state.created.signature,
    tokenId: token.tokenId,
  };
  const mint = account?.owner === TOKEN_2022_PROGRAM ? readMint(account) : undefined;
  if (mint === undefined) {
    findings.add({ what: 'a token has its mint', expected: 'a mint of Token-2022', found: 'none', ...place });
    return;
  }
  findings.equal('a mint has the recorded decimals', BigInt(token.decimals), BigInt(mint.decimals), place);
  if (mint.supply > BigInt(token.supply))
    findings.add({
      what: 'a mint has at most the recorded supply',
      expected: `at most ${token.supply}`,
      found: `${mint.supply}`,
      ...place,
    });
  const authority = (key: Uint8Array | undefined) => (key === undefined ? NOBODY : keyAt(key, 0));
  findings.equal('no account can mint more of a token', NOBODY, authority(mint.mintAuthority), place);
  findings.equal('no account can freeze a token', NOBODY, authority(mint.freezeAuthority), place);

  const config = mint.extensions.find(({ type }) => type === TRANSFER_FEE_CONFIG);
  const tax = config && readTransferFeeConfig(config.value);
  if (tax === undefined) {
    findings.add({ what: 'a mint has a tax', expected: 'a tax on transfers', found: 'none', ...place });
  } else {
    const later = { ...place, ...recordedAt(taxed) };
    findings.equal(
      'a mint has the recorded tax',
      describe(recordedRates(state.transferFee, epoch)),
      describe(currentRates(tax, epoch)),
      later,
    );
    // The creator of an adjustable tax may revoke the authority, so it is not compared.
    if (!token.transferFeeAdjustable)
      findings.equal('no account can change the tax', NOBODY, keyAt(tax.configAuthority, 0), place);
    findings.equal(
      'the tax is withdrawn by the distribution wallet',
      token.distributionWallet,
      keyAt(tax.withdrawAuthority, 0),
      place,
    );
  }
  auditMetadata(state.created, mint.extensions, findings, place);
}

/** Mutable metadata is not compared. */
function auditMetadata(
  { token }: NonNullable<TokenState>['created'],
  extensions: Parameters<typeof metadataOf>[0],
  findings: Findings,
  place: Place,
): void {
  const pointer = metadataPointerOf(extensions);
  findings.equal('the metadata is in the mint', token.mintAddress, pointer?.account ?? NOBODY, place);
  findings.equal('no account can change the metadata pointer', NOBODY, pointer?.authority ?? NOBODY, place);
  const metadata = metadataOf(extensions);
  if (metadata === undefined) {
    findings.add({ what: 'a mint has metadata', expected: 'name, symbol and URI', found: 'none', ...place });
    return;
  }
  findings.equal('the metadata belongs to this mint', token.mintAddress, metadata.mint.toBase58(), place);
  if (!token.immutableMetadata) return;
  findings.equal('the metadata has the recorded name', token.name, metadata.name, place);
  findings.equal('the metadata has the recorded symbol', token.symbol, metadata.symbol, place);
  findings.equal('the metadata has the recorded URI', token.metadataUri, metadata.uri, place);
  const authority = metadata.updateAuthority?.toBase58() ?? NOBODY;
  findings.equal('no account can change the metadata', NOBODY, authority, place);
}

interface Rate {
  readonly basisPoints: number;
  /** Maximum tax per transfer, in base units. */
  readonly maximum: bigint;
}

interface Rates {
  readonly now: Rate;
  readonly next: (Rate & { readonly fromEpoch: bigint }) | undefined;
}

/** A pending rate becomes the current rate in the epoch that it names. */
function recordedRates({ pending, ...recorded }: TransferFeeRates, epoch: bigint): Rates {
  const rate = ({ basisPoints, maximum }: Pick<TransferFeeRates, 'basisPoints' | 'maximum'>): Rate => ({
    basisPoints,
    maximum: maximum === null ? U64_MAX : BigInt(maximum),
  });
  if (pending === null) return { now: rate(recorded), next: undefined };
  const next = { ...rate(pending), fromEpoch: BigInt(pending.fromEpoch) };
  return epoch >= next.fromEpoch ? { now: next, next: undefined } : { now: rate(recorded), next };
}

function currentRates(
  { older, newer }: NonNullable<ReturnType<typeof readTransferFeeConfig>>,
  epoch: bigint,
): Rates {
  const rate = ({ basisPoints, maximumFee: maximum }: typeof older): Rate => ({ basisPoints, maximum });
  if (epoch >= newer.epoch) return { now: rate(newer), next: undefined };
  return { now: rate(older), next: { ...rate(newer), fromEpoch: newer.epoch } };
}

function describe({ now, next }: Rates): string {
  const rate = ({ basisPoints, maximum }: Rate) =>
    `${basisPoints} basis points${maximum === U64_MAX ? '' : `, at most ${maximum} base units`}`;
  const later = next === undefined ? '' : `, ${rate(next)} from epoch ${next.fromEpoch} on`;
  return `${rate(now)}${later}`;
}
