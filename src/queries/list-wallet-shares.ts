/** Returns a wallet's payments and debts in all tokens, from one read model. */
import { Type } from '@sinclair/typebox';
import type { Kind } from '../distribution/ledger/ledger-record.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { type WalletShareDocument, walletShareKey, walletShares } from '../projections/wallet-shares.ts';
import { Address, orNull, Timestamp } from '../streams/value-types.ts';
import { requireAddress, WalletReference } from '../views/address-params.ts';
import { isVisibleTo } from '../views/token-access.ts';
import { attributesOf, type Surroundings } from '../views/token-card.ts';
import { TokenCard } from '../views/token-views.ts';
import { listContextAt } from './list-context.ts';
import { CursorQuery, cutPage, Next } from './pages.ts';
import { PaymentView } from './payment-views.ts';
import { ShareFields, ShareParts, shareFields, shareParts } from './share-views.ts';

const { mintAddress, name, symbol, imageUri, rewardToken, distributionState, nextDistributionAt } =
  TokenCard.properties;

const WalletShare = Type.Object(
  {
    tokenId: Uuid,
    mintAddress,
    name: Type.String({ ...name, examples: ['Sunrise'] }),
    symbol: Type.String({ ...symbol, examples: ['SUN'] }),
    decimals: Type.Integer({ minimum: 0, maximum: 9, examples: [6] }),
    imageUri: Type.String({ ...imageUri, examples: ['https://levy.example/images/bafkreigh2.jpg'] }),
    rewardToken: Type.String({ description: rewardToken.description, examples: ['SOL'] }),
    ...ShareFields,
    parts: ShareParts,
    reason: orNull(PaymentView.properties.reason, {
      description:
        "Reason for the wallet's amount as a holder in the last closed run; null if it was not a holder.",
      examples: ['below-minimum-payout'],
    }),
    lastRun: Type.Object({ runId: Uuid, closedAt: Timestamp }, { description: 'Last closed run.' }),
    distributionState,
    nextDistributionAt,
  },
  { title: 'WalletShare' },
);

export const listWalletShares = queriesFor<RuntimeServices>()({
  name: 'ListWalletShares',
  summary: "List a wallet's payments and debts in all tokens",
  description:
    "Lists each token in which the wallet has earned something, as of the token's last closed run. The token of the " +
    'latest first earning comes first. `paidByAsset` and `owedByAsset` equal those of ' +
    '`GET /distribution/{tokenId}/holders/{wallet}`. Hidden tokens are omitted, so a page may have fewer than ' +
    '`limit` entries, or none, and still have a `next`. A run is included shortly after it was closed; ' +
    '`X-After-Position` does not wait for it.',
  route: { method: 'GET', url: '/wallets/:wallet/shares', auth: 'optional' },
  input: {
    params: Type.Object({ wallet: WalletReference }),
    query: Type.Object(CursorQuery, { additionalProperties: false }),
  },
  output: Type.Object({
    wallet: Address,
    shares: Type.Array(WalletShare),
    next: Next,
  }),
  rejections: ['INVALID_ADDRESS', 'STORE_UNAVAILABLE'],
  async answer(
    { params: { wallet }, query: { after, limit = 20 } },
    { services: { readModel, clock }, call: { actor } },
  ) {
    requireAddress('wallet', wallet);
    const found = await readModel.find(walletShares, 'wallet', wallet, {
      limit: limit + 1,
      descending: true,
      ...(after === undefined ? {} : { after: walletShareKey({ tokenId: after, wallet }) }),
    });
    const { shown: page, next } = cutPage(found, limit, ({ tokenId }) => tokenId);
    const surroundings = await listContextAt(readModel, clock.now());
    const shares = await Promise.all(page.map((share) => shown(readModel, share, actor, surroundings)));
    const answer = {
      wallet,
      shares: shares.flatMap((share) => share ?? []),
      next,
    };
    return new TaggedAnswer(answer);
  },
});

/** Undefined if the caller may not see the token. */
async function shown(
  readModel: ReadModel,
  share: WalletShareDocument,
  caller: string,
  surroundings: Surroundings,
) {
  const token = await readModel.get(tokens, share.tokenId);
  return isVisibleTo(token, caller) ? shareView(token, share, surroundings) : undefined;
}

function shareView(
  token: TokenDocument,
  { runId, closedAt, parts }: WalletShareDocument,
  surroundings: Surroundings,
) {
  const { mintAddress, name, symbol, decimals, imageUri, rewardToken } = token;
  const shares = parts.map(({ kind, asset, owed, paid }) => ({
    // The document is written from a ledger, which has only these kinds.
    kind: kind as Kind,
    asset,
    owed: BigInt(owed),
    paid: BigInt(paid),
  }));
  const { distributionState, nextDistributionAt } = attributesOf(token, surroundings);
  return {
    tokenId: token.id,
    mintAddress,
    name,
    symbol,
    decimals,
    imageUri,
    rewardToken,
    ...shareFields(shares),
    parts: shareParts(shares),
    reason: parts.find(({ kind }) => kind === 'holder')?.reason ?? null,
    lastRun: { runId, closedAt },
    distributionState,
    ...(nextDistributionAt === undefined ? {} : { nextDistributionAt }),
  };
}
