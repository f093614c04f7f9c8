/** Issues a draft: the transaction that puts a token up for sale on the launch venue, with its liquidity locked permanently. */

import { Type } from '@sinclair/typebox';
import { launchInstructions } from '../chain/venue/venue-instructions.ts';
import { defineDraft } from '../drafts/define-draft.ts';
import { launchedAlreadyRejection } from '../drafts/existing-pool.ts';
import { type LaunchPlan, type LaunchRequest, planLaunch } from '../drafts/launches/plan-launch.ts';
import { tokenLaunch } from '../drafts/purposes/token-launch-behaviour.ts';
import type { DraftServices } from '../drafts/services.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { launch } from '../streams/launch.ts';
import type { Launch } from '../streams/purposes/token-launch.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, Base64, described, Timestamp } from '../streams/value-types.ts';
import { BondingCurveId, LaunchCurve, launchCurve } from '../views/launch-curve.ts';
import { signedByPosition } from '../views/unsigned-draft.ts';
import { createInputProblems, Digits, readAmount } from './distribution-input.ts';
import { ownToken } from './own-token.ts';

export const createLaunch = defineDraft({
  name: 'CreateLaunch',
  summary: 'Get the transaction that launches a token in a pool of DAMM v2',
  description:
    "Available to the token's creator. The transaction creates a pool of the launch venue (Meteora DAMM v2) whose price " +
    'rises as tokens are sold. Its only position belongs to the creator, and the liquidity is locked permanently. The ' +
    'transaction has a recent blockhash, so sign it and send it within a minute, yourself or by ' +
    '`POST /launchpad/submit`.',
  route: { url: '/launchpad/create-unsigned', limit: 'launch' },
  input: {
    body: Type.Object(
      {
        tokenMint: Type.String({
          maxLength: 100,
          description: 'Mint address of a token of the caller.',
          examples: Address.examples,
        }),
        tokenAmount: Digits('Base units that leave the wallet, including the tax.'),
        targetMarketCap: Digits('Lamports.'),
      },
      {
        additionalProperties: false,
        title: 'LaunchInput',
        examples: [
          {
            tokenMint: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
            tokenAmount: '800000000000000',
            targetMarketCap: '400000000000',
          },
        ],
      },
    ),
  },
  output: Type.Object({
    transaction: Type.String({
      description: "Base64. Signed by the position's key; the creator's signature is missing.",
      examples: Base64.examples,
    }),
    transactionId: Uuid,
    bondingCurveId: BondingCurveId,
    expectedLaunchTime: Timestamp,
    expiresAt: Timestamp,
    lastValidBlockHeight: Type.Integer({
      description: 'Last block height at which the transaction can land.',
      examples: [312000150],
    }),
    curve: LaunchCurve,
    liquidityLocked: Type.Literal(true, {
      description: 'Always true: the liquidity can never be withdrawn.',
    }),
    cost: described(Amount, 'Lamports that the creator will pay.'),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'TOKEN_NOT_FOUND',
    'NOT_TOKEN_CREATOR',
    'TOKEN_HIDDEN',
    'LAUNCH_ALREADY_EXISTS',
    'POOL_ADDRESS_TAKEN',
    'VENUE_UNAVAILABLE',
  ],
  sentBy: 'client',
  purpose: tokenLaunch,

  async plan({ body }, { services, transactionId, creator }) {
    const { keyring, policy, clock } = services;
    const complaints = createInputProblems();
    const tokenAmount = readAmount(complaints, 'tokenAmount', body.tokenAmount, 1n);
    const targetMarketCap = readAmount(complaints, 'targetMarketCap', body.targetMarketCap, 1n);
    complaints.raise('Invalid launch; see the details.');
    const tokenId = await requireLaunchable(services, body.tokenMint, creator);
    await services.venue.requireExists();
    const request: LaunchRequest = {
      creator,
      mint: body.tokenMint,
      positionMint: keyring.position(transactionId).address,
      tokenAmount: BigInt(tokenAmount),
      targetMarketCap: BigInt(targetMarketCap),
      startRatio: BigInt(policy.launchStartRatio),
    };
    const plan = await planLaunch(services, request);
    const { mint, positionMint } = request;
    const { terms, addresses, payments } = plan;
    return {
      subject: { ...subjectOf(request, plan), tokenId, expectedAt: clock.now().toISOString() },
      instructions: launchInstructions({ creator, mint, positionMint, ...terms }),
      payments,
      writable: [creator, addresses.pool, addresses.tokenVault],
    };
  },

  answer({ transactionId, message, lifetime, expiresAt, cost, subject }, { services }) {
    if (lifetime.kind !== 'recent-blockhash') throw new Error('a launch must have a recent blockhash');
    return {
      transaction: signedByPosition(message, services.keyring.position(transactionId)),
      transactionId,
      bondingCurveId: subject.poolAddress,
      expectedLaunchTime: subject.expectedAt,
      expiresAt,
      lastValidBlockHeight: Number(lifetime.lastValidBlockHeight),
      curve: launchCurve(subject),
      liquidityLocked: true as const,
      cost,
    };
  },
});

/** Returns the token's id. */
async function requireLaunchable(services: DraftServices, mint: string, creator: string): Promise<string> {
  const { created, hidden } = await ownToken(services, { field: 'tokenMint', address: mint }, creator);
  if (hidden !== undefined) {
    throw rejection('TOKEN_HIDDEN', 'An operator has hidden this token; it cannot be launched.');
  }
  const { tokenId } = created.token;
  const { state } = await services.executor.load(launch, tokenId);
  if (state !== undefined) {
    throw launchedAlreadyRejection();
  }
  return tokenId;
}

function subjectOf(
  { mint: mintAddress, positionMint, tokenAmount, targetMarketCap, startRatio }: LaunchRequest,
  { addresses, mint, terms }: LaunchPlan,
): Omit<Launch, 'tokenId' | 'expectedAt'> {
  return {
    kind: 'launch',
    mintAddress,
    poolAddress: addresses.pool,
    positionMint,
    positionAddress: addresses.position,
    tokenAmount: tokenAmount.toString(),
    targetMarketCap: targetMarketCap.toString(),
    startRatio: Number(startRatio),
    sqrtMinPrice: terms.sqrtMinPrice.toString(),
    sqrtMaxPrice: terms.sqrtMaxPrice.toString(),
    liquidity: terms.liquidity.toString(),
    supply: mint.supply.toString(),
    decimals: mint.decimals,
  };
}
