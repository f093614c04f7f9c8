/** Everything public about one token, and what its page shows besides, in one answer. A hidden token is found by its creator only. */

import { type Static, Type } from '@sinclair/typebox';
import type { ObserverServices } from '../drafts/observers/services.ts';
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, orNull } from '../streams/values.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';
import { tokenIdOf } from '../views/token-access.ts';
import { attributesOf, promotionOf, type Surroundings } from '../views/token-card.ts';
import { TokenDetail } from '../views/token-views.ts';
import { pendingTransferFeeView } from '../views/transfer-fee-view.ts';
import { LaunchStatus, launchOf } from './get-launch-status.ts';
import { TaxView, taxOf } from './get-tax.ts';
import { promotionView } from './list-featured.ts';
import { RunsPage, runsPage } from './list-runs.ts';
import { surroundingsAt } from './surroundings.ts';

const PARTS = ['tax', 'runs', 'launch', 'featured', 'settings'] as const;
type Part = (typeof PARTS)[number];

/** As many as `GET /distribution/{tokenId}/runs` shows unless told otherwise. */
const RUNS_SHOWN = 20;

const PublicSettings = Type.Omit(SettingsView, ['telegramGroupId'], {
  title: 'PublicDistributionSettings',
  description: "What its creator has promised, as it is now. The chat group is the creator's own affair.",
  examples: (SettingsView.examples ?? []).map(
    ({ telegramGroupId: _private, ...others }: { readonly [name: string]: unknown }) => others,
  ),
});

const TokenPage = Type.Object({
  token: TokenDetail,
  tax: Type.Optional(TaxView),
  runs: Type.Optional(RunsPage),
  launch: Type.Optional(orNull(LaunchStatus, { description: 'Null for a token without a launch.' })),
  featured: Type.Optional(
    orNull(FeaturedPromotion, { description: 'Null without a promotion that runs now.' }),
  ),
  settings: Type.Optional(PublicSettings),
  unavailable: Type.Optional(
    Type.Array(
      Type.Union(
        PARTS.map((part) => Type.Literal(part)),
        { title: 'TokenPart' },
      ),
      {
        description:
          'Parts that cannot be told at this moment; their own routes say why. Absent if there are none.',
        examples: [['launch']],
      },
    ),
  ),
});

type TokenPage = Static<typeof TokenPage>;

export const getToken = queriesFor<RuntimeServices & ObserverServices>()({
  name: 'GetToken',
  summary: 'Get a token',
  description:
    'Everything public about a token. A token that operators hide is shown only to its creator, signed in. With `include`, a page ' +
    'about it in one call: each part is what its own route answers, and `settings` is the public part of them.',
  route: { method: 'GET', url: '/tokens/:mintAddress', auth: 'optional' },
  input: {
    params: Type.Object({
      mintAddress: Type.String({
        maxLength: 100,
        description: "The token's mint address, or its id.",
        examples: Address.examples,
      }),
    }),
    query: Type.Object(
      {
        include: Type.Optional(
          Type.String({
            maxLength: 64,
            pattern: `^(${PARTS.join('|')})(,(${PARTS.join('|')}))*$`,
            description: `Parts to add, separated by commas: ${PARTS.map((part) => `\`${part}\``).join(', ')}.`,
            examples: ['tax,runs'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: TokenPage,
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params: { mintAddress }, query: { include = '' } }, { services, call: { actor } }) {
    const { readModel, clock } = services;
    const found = await readModel.get(tokens, tokenIdOf(mintAddress));
    if (found === undefined || (found.hidden && found.creator !== actor)) {
      throw rejection('TOKEN_NOT_FOUND', 'There is no token with this mint address.');
    }
    const surroundings = await surroundingsAt(readModel, clock.now());
    const signature = await signatureOf(readModel, found.id);
    let distribution: Promise<DistributionDocument> | undefined;
    return {
      token: { ...detailOf(found, surroundings), ...(signature === undefined ? {} : { signature }) },
      ...(await partsOf(PARTS.filter((part) => include.split(',').includes(part)))),
    };

    async function partsOf(parts: readonly Part[]): Promise<Omit<TokenPage, 'token'>> {
      const unavailable: Part[] = [];
      const read = await Promise.all(
        parts.map(async (part) => {
          try {
            return [part, await partOf(part)] as const;
          } catch (error) {
            if (!isPassing(error)) throw error;
            unavailable.push(part);
            return undefined;
          }
        }),
      );
      const known = Object.fromEntries(read.flatMap((each) => (each === undefined ? [] : [each])));
      return { ...known, ...(unavailable.length === 0 ? {} : { unavailable }) };
    }

    /** Read once, for all parts that need it. */
    function ofToken(tokenId: string): Promise<DistributionDocument> {
      distribution ??= visibleDistribution(readModel, tokenId, actor);
      return distribution;
    }

    async function partOf(part: Part): Promise<TokenPage[Part]> {
      const token = found as TokenDocument;
      switch (part) {
        case 'tax':
          return taxOf(readModel, await ofToken(token.id), clock.now());
        case 'runs':
          return runsPage(readModel, await ofToken(token.id), { limit: RUNS_SHOWN });
        case 'launch':
          return launchOrNull(
            launchOf(services, { mintAddress: token.mintAddress, isCreator: token.creator === actor }),
          );
        case 'featured':
          return promotionNow(token.id, surroundings);
        case 'settings':
          return settingsOf(token);
      }
    }
  },
});

/** What is being built, or has not been seen on the chain yet: the rest of the page is told all the same. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof CollectionNotLive || (error instanceof Rejection && error.code === 'CHAIN_UNAVAILABLE')
  );
}

async function launchOrNull(launch: Promise<LaunchStatus>): Promise<LaunchStatus | null> {
  try {
    return await launch;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'LAUNCH_NOT_FOUND') return null;
    throw error;
  }
}

function promotionNow(tokenId: string, surroundings: Surroundings) {
  const running = promotionOf(tokenId, surroundings);
  return running === undefined ? null : promotionView(running, surroundings.now.getTime());
}

function settingsOf(token: TokenDocument): Static<typeof PublicSettings> {
  return {
    rewardToken: token.rewardToken,
    distributionModel: token.distributionModel,
    minimumHoldingRequirement: token.minimumHoldingRequirement,
    percentageToSellPerDistribution: token.percentageToSellPerDistribution,
    distributionEnabled: token.distributionEnabled,
    distributionInterval: token.distributionInterval,
    burnPercent: token.burnPercent,
    developerFeePercent: token.developerFeePercent,
    developerWallet: token.developerWallet,
  };
}

function detailOf(found: TokenDocument, surroundings: Surroundings) {
  const { pendingTransferFee, hidden, distribution: _facts, launch: _launch, ...token } = found;
  return {
    ...token,
    partner: found.partner ?? null,
    ...attributesOf(found, surroundings),
    ...pendingTransferFeeView(pendingTransferFee),
    ...(hidden ? { hidden: true as const } : {}),
  };
}

/** Nothing while that read model is still being built: the token is shown without. */
async function signatureOf(readModel: ReadModel, tokenId: string): Promise<string | undefined> {
  try {
    return (await readModel.get(distributions, tokenId))?.signature;
  } catch (error) {
    if (error instanceof CollectionNotLive) return undefined;
    throw error;
  }
}
