/** Status of a token's launch. Variable figures come from the pool watcher's last round, without a chain call. */

import { type Static, Type } from '@sinclair/typebox';
import { type LaunchFigures, launchFigures } from '../chain/venue/launch-figures.ts';
import type { ObserverServices } from '../drafts/observers/pool-watcher.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type LaunchDocument, launches } from '../projections/launches.ts';
import { tokens } from '../projections/tokens.ts';
import { type TransactionDocument, transactions } from '../projections/transactions.ts';
import type { Launch } from '../streams/purposes/token-launch.ts';
import { launchBasisOf } from '../streams/recorded-launch.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, described, enumOf, orNull, Timestamp, U128 } from '../streams/value-types.ts';
import { BondingCurveId } from '../views/launch-curve.ts';
import { isVisibleTo } from '../views/token-access.ts';

/** Maximum number of launch drafts read per token: at ten drafts per hour, all that can still land. */
const DRAFTS_READ = 50;

export const LaunchStatus = Type.Object(
  {
    mintAddress: Address,
    bondingCurveId: BondingCurveId,
    status: enumOf('LaunchPhase', ['pending', 'active', 'completed', 'expired'], {
      description:
        '`pending`: the launch was issued and is not final. `active`: buyers can buy. `completed`: the target was ' +
        'reached; the figures are those of that time. `expired`: no transaction of the launch landed. All figures ' +
        "refer to the launch's own position, without liquidity that other users add to the pool.",
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'Percent of the way from the market cap at the start to the target, rounded down to two decimals.',
    }),
    currentMarketCap: described(
      U128,
      'Market cap of the supply at the launch, in lamports; 0 before the pool exists.',
    ),
    targetMarketCap: described(
      Amount,
      "Lamports; 0 until the launch is signed, except for the token's creator.",
    ),
    tokensSold: described(Amount, 'Base units sold.'),
    totalTokens: described(Amount, 'Base units for sale; 0 while `targetMarketCap` is 0.'),
    solCollected: described(Amount, 'Lamports in the pool, without trading fees.'),
    currentPrice: Type.String({
      pattern: '^[0-9]+(\\.[0-9]+)?$',
      description: 'Lamports per whole token, truncated to 12 significant digits; 0 before the pool exists.',
      examples: ['102.607452548'],
    }),
    launchedAt: orNull(Timestamp),
    completedAt: orNull(Timestamp),
  },
  {
    title: 'LaunchStatus',
    examples: [
      {
        mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
        bondingCurveId: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        status: 'active',
        progress: 20.69,
        currentMarketCap: '102607452548',
        targetMarketCap: '400000000000',
        tokensSold: '390936061381304',
        totalTokens: '772000000000000',
        solCollected: '19800000000',
        currentPrice: '102.607452548',
        launchedAt: '2026-11-21T12:00:42.000Z',
        completedAt: null,
      },
    ],
  },
);

export type LaunchStatus = Static<typeof LaunchStatus>;

export const getLaunchStatus = queriesFor<RuntimeServices & ObserverServices>()({
  name: 'GetLaunchStatus',
  summary: 'Follow the launch of a token',
  description:
    "Figures refer to the launch's own position and are at most five seconds old while the pool is active.",
  route: { method: 'GET', url: '/launchpad/:mintAddress/status', auth: 'optional' },
  input: {
    params: Type.Object({ mintAddress: Address }),
  },
  output: LaunchStatus,
  rejections: ['LAUNCH_NOT_FOUND', 'CHAIN_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  async answer({ params: { mintAddress } }, { services, call: { actor } }) {
    const [token] = await services.readModel.find(tokens, 'mint', mintAddress, { limit: 1 });
    if (!isVisibleTo(token, actor)) throw launchNotFoundRejection();
    return launchOf(services, { mintAddress, isCreator: token.creator === actor });
  },
});

/** Requires that the caller may see the token. Rejects with `LAUNCH_NOT_FOUND` or `CHAIN_UNAVAILABLE`. */
export async function launchOf(
  services: RuntimeServices & ObserverServices,
  { mintAddress, isCreator }: { readonly mintAddress: string; readonly isCreator: boolean },
): Promise<LaunchStatus> {
  const { readModel } = services;
  const [document] = await readModel.find(launches, 'mint', mintAddress, { limit: 1 });
  return document === undefined ? unstarted(readModel, mintAddress, isCreator) : started(services, document);
}

async function unstarted(
  readModel: ReadModel,
  mintAddress: string,
  isCreator: boolean,
): Promise<LaunchStatus> {
  const [last] = await readModel.find(transactions, 'launch', mintAddress, { limit: 1, descending: true });
  const living = await livingDraft(readModel, mintAddress);
  const draft = living ?? last;
  const subject = draft?.issued.subject;
  if (draft === undefined || subject?.kind !== 'launch') throw launchNotFoundRejection();
  // An unsigned draft is confidential between its creator and the service.
  const isVisible = isCreator || isSigned(draft);
  const { tokensForSale } = launchFigures(launchBasisOf(subject), 0n);
  return {
    ...namesOf(subject),
    ...(isVisible ? {} : { targetMarketCap: '0' }),
    status: living === undefined ? 'expired' : 'pending',
    progress: 0,
    currentMarketCap: '0',
    tokensSold: '0',
    totalTokens: isVisible ? tokensForSale.toString() : '0',
    solCollected: '0',
    currentPrice: '0',
    launchedAt: null,
    completedAt: null,
  };
}

/** Newest draft that may become the launch; a signed one takes precedence over unsigned ones. */
async function livingDraft(
  readModel: ReadModel,
  mintAddress: string,
): Promise<TransactionDocument | undefined> {
  const newest = { limit: DRAFTS_READ, descending: true };
  const found = await readModel.find(transactions, 'livingLaunch', mintAddress, newest);
  return found.find(isSigned) ?? found.find(({ status }) => status !== 'cancelled');
}

/** True if the draft was submitted, or seen on the chain. */
function isSigned({ signature }: TransactionDocument): boolean {
  return signature !== null;
}

async function started(
  { launches: now }: RuntimeServices & ObserverServices,
  document: LaunchDocument,
): Promise<LaunchStatus> {
  const { launch, tokenId, launchedAt, completed } = document;
  if (completed !== null) {
    const figures = launchFigures(launchBasisOf(launch), BigInt(completed.sqrtPrice));
    return {
      ...namesOf(launch),
      status: 'completed',
      ...shown(figures),
      launchedAt,
      completedAt: completed.at,
    };
  }
  const figures = await now.of(tokenId);
  if (figures === undefined) {
    throw rejection(
      'CHAIN_UNAVAILABLE',
      'The state of the launch is not available from the chain yet; try again.',
      {
        retryAfterSeconds: 2,
      },
    );
  }
  return { ...namesOf(launch), status: 'active', ...shown(figures), launchedAt, completedAt: null };
}

function namesOf({ mintAddress, poolAddress, targetMarketCap }: Launch) {
  return { mintAddress, bondingCurveId: poolAddress, targetMarketCap };
}

function shown(figures: LaunchFigures) {
  return {
    progress: figures.progressBasisPoints / 100,
    currentMarketCap: figures.marketCap.toString(),
    tokensSold: figures.tokensSold.toString(),
    totalTokens: figures.tokensForSale.toString(),
    solCollected: figures.solCollected.toString(),
    currentPrice: figures.price,
  };
}

function launchNotFoundRejection() {
  return rejection('LAUNCH_NOT_FOUND', 'Launch not found.');
}
