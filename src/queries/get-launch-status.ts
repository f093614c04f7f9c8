/** The status of a token's launch. Changing figures come from the pool watcher's last round, not from a chain call. */

import { type Static, Type } from '@sinclair/typebox';
import { type LaunchFigures, launchFigures } from '../chain/venue/launch-figures.ts';
import type { ObserverServices } from '../observers/services.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type LaunchDocument, launches } from '../projections/launches.ts';
import { tokens } from '../projections/tokens.ts';
import { transactions } from '../projections/transactions.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { RuntimeServices } from '../runtime/services.ts';
import type { Launch } from '../streams/purposes/token-launch.ts';
import { launchBasisOf } from '../streams/recorded-launch.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, Timestamp, U128 } from '../streams/values.ts';

const described = <Schema extends object>(schema: Schema, description: string) =>
  Type.String({ ...schema, description });

const LaunchStatus = Type.Object(
  {
    mintAddress: Address,
    bondingCurveId: described(Address, "The pool's address."),
    status: Type.Union(
      [Type.Literal('pending'), Type.Literal('active'), Type.Literal('completed'), Type.Literal('expired')],
      {
        description:
          'pending: issued, and on its way to being final; active: buyers can buy; completed: the target was reached, and ' +
          'the figures are those of that moment; expired: no transaction of it landed.',
      },
    ),
    progress: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Percent of the target market cap, at most two decimals, rounded down.',
    }),
    currentMarketCap: described(U128, 'Lamports, of the supply at the launch; 0 while there is no pool.'),
    targetMarketCap: described(Amount, 'Lamports.'),
    tokensSold: described(Amount, 'Base units.'),
    totalTokens: described(Amount, 'Base units that the launch puts up for sale.'),
    solCollected: described(Amount, 'Lamports in the pool; fees of the trades are not counted.'),
    currentPrice: Type.String({
      pattern: '^[0-9]+(\\.[0-9]+)?$',
      description:
        'Lamports for one whole token, cut off after 12 significant digits; 0 while there is no pool.',
      examples: ['102.607452548'],
    }),
    launchedAt: Type.Union([Timestamp, Type.Null()]),
    completedAt: Type.Union([Timestamp, Type.Null()]),
  },
  {
    title: 'LaunchStatus',
    examples: [
      {
        mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
        bondingCurveId: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
        status: 'active',
        progress: 25.65,
        currentMarketCap: '102607452548',
        targetMarketCap: '400000000000',
        tokensSold: '390936061381304',
        totalTokens: '772000000000000',
        solCollected: '19799999999',
        currentPrice: '102.607452548',
        launchedAt: '2026-11-21T12:00:42.000Z',
        completedAt: null,
      },
    ],
  },
);

type LaunchStatus = Static<typeof LaunchStatus>;

export const getLaunchStatus = queriesFor<RuntimeServices & ObserverServices>()({
  name: 'GetLaunchStatus',
  summary: 'Follow the launch of a token',
  route: { method: 'GET', url: '/launchpad/:mintAddress/status', auth: 'none' },
  input: {
    params: Type.Object({ mintAddress: Type.String({ maxLength: 100, examples: Address.examples }) }),
  },
  output: LaunchStatus,
  rejections: ['LAUNCH_NOT_FOUND', 'CHAIN_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  async answer({ params: { mintAddress } }, { services }) {
    const { readModel } = services;
    const [token] = await readModel.find(tokens, 'mint', mintAddress, { limit: 1 });
    if (token === undefined || token.hidden) throw notFound();
    const [document] = await readModel.find(launches, 'mint', mintAddress, { limit: 1 });
    return document === undefined ? unstarted(readModel, mintAddress) : started(services, document);
  },
});

async function unstarted(readModel: ReadModel, mintAddress: string): Promise<LaunchStatus> {
  const latest = { limit: 1, newestFirst: true };
  const [draft] = await readModel.find(transactions, 'launch', mintAddress, latest);
  const [living] = await readModel.find(transactions, 'livingLaunch', mintAddress, latest);
  const subject = (living ?? draft)?.issued.subject;
  if (subject?.kind !== 'launch') throw notFound();
  const { tokensForSale } = launchFigures(launchBasisOf(subject), 0n);
  return {
    ...namesOf(subject),
    status: living === undefined ? 'expired' : 'pending',
    progress: 0,
    currentMarketCap: '0',
    tokensSold: '0',
    totalTokens: tokensForSale.toString(),
    solCollected: '0',
    currentPrice: '0',
    launchedAt: null,
    completedAt: null,
  };
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
    throw rejection('CHAIN_UNAVAILABLE', 'The chain has not told how the launch stands; try again.', {
      retryAfterSeconds: 2,
    });
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

function notFound() {
  return rejection('LAUNCH_NOT_FOUND', 'No launch of a token with this mint address is known.');
}
