/** Returns the public data of one token and optional further parts of its page. Only its creator can read a hidden token. */

import { type Static, Type } from '@sinclair/typebox';
import type { ObserverServices } from '../drafts/observers/pool-watcher.ts';
import { CollectionNotLive } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { PublicSettings } from '../streams/distribution-settings.ts';
import { rejection } from '../streams/rejections.ts';
import { enumOf, orNull } from '../streams/value-types.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { FeaturedPromotion } from '../views/featured-view.ts';
import { isVisibleTo, TokenReference, tokenIdOf } from '../views/token-access.ts';
import { attributesOf, promotionOf, type Surroundings } from '../views/token-card.ts';
import { TokenDetail } from '../views/token-views.ts';
import { pendingTransferFeeView } from '../views/transfer-fee-view.ts';
import { LaunchStatus, launchOf } from './get-launch-status.ts';
import { TaxView, taxOf } from './get-tax.ts';
import { listContextAt, whenBuilt } from './list-context.ts';
import { promotionView } from './list-featured.ts';
import { RunsPage, runsPage } from './list-runs.ts';

const PARTS = ['tax', 'runs', 'launch', 'featured', 'settings'] as const;
type Part = (typeof PARTS)[number];

/** Equal to the default limit of `GET /distribution/{tokenId}/runs`. */
const MAX_RUNS = 20;

const TokenPage = Type.Object({
  token: TokenDetail,
  tax: Type.Optional(TaxView),
  runs: Type.Optional(RunsPage),
  launch: Type.Optional(orNull(LaunchStatus, { description: 'Null for a token without a launch.' })),
  featured: Type.Optional(orNull(FeaturedPromotion, { description: 'Null without a running promotion.' })),
  settings: Type.Optional(PublicSettings),
  unavailable: Type.Optional(
    Type.Array(enumOf('TokenPart', PARTS), {
      description:
        'Parts that are currently unavailable; their own routes return the reason. Absent if all are available.',
      examples: [['launch']],
    }),
  ),
});

type TokenPage = Static<typeof TokenPage>;

export const getToken = queriesFor<RuntimeServices & ObserverServices>()({
  name: 'GetToken',
  summary: 'Get a token',
  description:
    'All public data of a token. A token that operators have hidden is visible only to its signed-in ' +
    'creator. `include` adds parts, so that a page needs one call: each part equals the response of its own route, ' +
    'and `settings` are the public ones.',
  route: { method: 'GET', url: '/tokens/:mintAddress', auth: 'optional' },
  input: {
    params: Type.Object({
      mintAddress: TokenReference,
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
    if (!isVisibleTo(found, actor)) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
    const surroundings = await listContextAt(readModel, clock.now());
    const created = await whenBuilt(readModel.get(distributions, found.id));
    let distribution: Promise<DistributionDocument> | undefined;
    return {
      token: { ...detailOf(found, surroundings), ...(created && { signature: created.signature }) },
      ...(await partsOf(PARTS.filter((part) => include.split(',').includes(part)))),
    };

    async function partsOf(parts: readonly Part[]): Promise<Omit<TokenPage, 'token'>> {
      const unavailable: Part[] = [];
      const read = await Promise.all(
        parts.map(async (part) => {
          try {
            return [part, await partOf(part)] as const;
          } catch (error) {
            if (!isTransient(error)) throw error;
            unavailable.push(part);
            return undefined;
          }
        }),
      );
      const known = Object.fromEntries(read.flatMap((each) => (each === undefined ? [] : [each])));
      return { ...known, ...(unavailable.length === 0 ? {} : { unavailable }) };
    }

    /** Reads the distribution once for all parts that need it. */
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
          return runsPage(readModel, await ofToken(token.id), { limit: MAX_RUNS });
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

/** True for errors that omit only one part: its read model is being built, or the chain has not shown it yet. */
function isTransient(error: unknown): boolean {
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

function settingsOf(token: TokenDocument): PublicSettings {
  const names = Object.keys(PublicSettings.properties) as (keyof PublicSettings)[];
  return Object.fromEntries(names.map((name) => [name, token[name]])) as PublicSettings;
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
