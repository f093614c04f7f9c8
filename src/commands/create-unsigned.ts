/** Issues a draft: the unsigned transaction that creates a token, good for five minutes. Costs nothing until it is submitted. */
import { Type } from '@sinclair/typebox';
import {
  buildCreationRehearsal,
  buildCreationTransaction,
  CREATOR_TOKEN_ACCOUNT_SIZE,
  type CreationInput,
  checkCreationSize,
  creationCost,
  metadataAccountSize,
} from '../chain/creation-transaction.ts';
import { unsignedTransaction } from '../chain/legacy-message.ts';
import { sealMintSecret } from '../chain/mint-secret.ts';
import { computeUnitLimit, computeUnitPrice } from '../chain/price-policy.ts';
import { simulationRefused } from '../chain/simulation-refused.ts';
import { cidOfImageUri, imageUriOf } from '../images/image-uri.ts';
import { transactions } from '../projections/transactions.ts';
import { deriveId } from '../runtime/ids.ts';
import { defineCommand, type Services } from '../services.ts';
import { DraftIssued, draft, type TokenCreation } from '../streams/draft.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, Timestamp, Uuid } from '../streams/values.ts';
import { readTokenInput, TokenInput, type TokenWishes } from './token-input.ts';

/** Enough for any creation to be simulated. */
const GENEROUS_UNIT_LIMIT = 400_000;
/** Compute units that the nonce's advance adds to a simulation without it. */
const NONCE_ADVANCE_UNITS = 150;

export const createUnsigned = defineCommand({
  name: 'CreateUnsigned',
  summary: 'Get the unsigned transaction that creates a token',
  route: { method: 'POST', url: '/tokens/create-unsigned', auth: 'wallet', limit: 'create-unsigned' },
  input: { body: TokenInput },
  output: Type.Object({
    transaction: Type.String({ description: 'Base64, unsigned.' }),
    transactionId: Uuid,
    expiresAt: Timestamp,
    mintKeypair: Type.Object({
      publicKey: Address,
      secretKey: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
        description: "ASCII bytes of a compact JWE to the creator's wallet key.",
      }),
    }),
    cost: Type.Optional(Type.String({ ...Amount, description: 'Lamports that the creator will pay.' })),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'SPLIT_EXCEEDS_100',
    'IMAGE_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_ALREADY_USED',
    'TOO_MANY_DRAFTS',
    'CONCURRENT_CHANGE',
    'INSUFFICIENT_FUNDS',
    'CHAIN_REJECTED',
    'CHAIN_UNAVAILABLE',
    'DRAFTS_EXHAUSTED',
    'SERVICE_UNFUNDED',
  ],
  stream: draft,
  turnOf: (_input, creator) => creator,
  streamId: (_input, { commandId }) => deriveId('draft', commandId),

  async prepare({ body }, { services, call: { actor: creator }, cause }) {
    const transactionId = deriveId('draft', cause.commandId);
    const claim = { walletId: body.walletId, transactionId, creator };
    const wishes = readTokenInput(body, creator, services.policy.maxTransferFeeBasisPoints);
    const distributionWallet = await services.walletClaims.check(claim);
    const subject = await subjectOf(services, body, wishes, { transactionId, distributionWallet });
    requireFittingSize(subject);
    const { state: before } = await services.executor.load(draft, transactionId);
    if (before.status !== 'absent') return undefined;
    await requireFewDrafts(services, creator, body.walletId);
    const { transaction, cost } = await priceAndSimulate(services, creator, subject);

    // Nothing was recorded until here. Every claim names the draft, and is taken back if the draft never comes.
    await services.walletClaims.claim(claim, cause);
    const nonce = await services.nonces.lease(transactionId, cause);
    const { message } = buildCreationTransaction({
      ...transaction,
      nonceAccount: nonce.account,
      nonceAuthority: services.keyring.nonceAuthority.address,
      nonceValue: nonce.value,
    });
    return {
      abandonments: before.abandonments,
      issued: {
        transactionId,
        creator,
        message: Buffer.from(message).toString('base64'),
        nonceAccount: nonce.account,
        nonceValue: nonce.value,
        cost: cost.toString(),
        expiresAt: new Date(services.clock.now().getTime() + services.policy.draftLifetime).toISOString(),
        subject,
      },
    };
  },

  decide(state, _input, facts) {
    // The same command, run twice at once: the other one was first.
    if (facts === undefined || state.issued?.transactionId === facts.issued.transactionId) return [];
    if (state.status !== 'absent' || state.abandonments !== facts.abandonments) {
      throw rejection('CONCURRENT_CHANGE', 'The draft took too long to make and was given up; try again.', {
        retryAfterSeconds: 1,
      });
    }
    return [DraftIssued(facts.issued)];
  },

  async respond({ issued }, _input, { services }) {
    if (issued === undefined) throw new Error('a draft that was just recorded is not there');
    const { transactionId, creator, expiresAt, cost, message } = issued;
    const mint = services.keyring.mint(transactionId);
    const envelopeSeed = services.keyring.mintSecretEnvelope(transactionId);
    return {
      transaction: Buffer.from(unsignedTransaction(Buffer.from(message, 'base64'))).toString('base64'),
      transactionId,
      expiresAt,
      mintKeypair: {
        publicKey: mint.address,
        secretKey: await sealMintSecret({ secretKey: mint.secretKey, creator, envelopeSeed }),
      },
      cost,
    };
  },
});

async function subjectOf(
  services: Services,
  body: TokenInput,
  wishes: TokenWishes,
  {
    transactionId,
    distributionWallet,
  }: { readonly transactionId: string; readonly distributionWallet: string },
): Promise<TokenCreation> {
  const imageCid = cidOfImageUri(body.imageUri);
  if (imageCid === undefined || !(await services.images.has(imageCid))) {
    throw rejection('IMAGE_NOT_FOUND', 'imageUri is not an image of this service; upload it first.');
  }
  const mintAddress = services.keyring.mint(transactionId).address;
  return {
    kind: 'token-creation',
    tokenId: deriveId('token', mintAddress),
    mintAddress,
    walletId: body.walletId,
    distributionWallet,
    imageCid,
    imageUri: imageUriOf(services.publicUrl(), imageCid),
    metadataUri: `${services.publicUrl()}/metadata/${mintAddress}.json`,
    ...wishes,
  };
}

function requireFittingSize(subject: TokenCreation): void {
  const { size, limit, fits } = checkCreationSize({ ...subject, uri: subject.metadataUri });
  if (fits) return;
  throw rejection('VALIDATION_FAILED', 'Name and symbol are too long for one transaction.', {
    details: [
      { path: ['name'], message: `makes a transaction of ${size} bytes where ${limit} are possible` },
    ],
  });
}

async function requireFewDrafts(services: Services, creator: string, walletId: string): Promise<void> {
  const now = services.clock.now().toISOString();
  const open = await services.readModel.find(transactions, 'open', creator);
  const others = open.filter(({ issued }) => issued.expiresAt > now && issued.subject.walletId !== walletId);
  if (others.length < services.policy.openDraftsPerWallet) return;
  throw rejection(
    'TOO_MANY_DRAFTS',
    `A wallet may have ${services.policy.openDraftsPerWallet} open drafts; sign one or let it expire.`,
  );
}

type WithoutNonce = Omit<CreationInput, 'nonceAccount' | 'nonceAuthority' | 'nonceValue'>;

/** The transaction but for its nonce, and what it will cost, once the chain has shown that it would take it. */
async function priceAndSimulate(
  services: Services,
  creator: string,
  subject: TokenCreation,
): Promise<{ readonly transaction: WithoutNonce; readonly cost: bigint }> {
  const { chain, policy } = services;
  const texts = { name: subject.name, symbol: subject.symbol, uri: subject.metadataUri };
  const [mintRent, tokenAccountRent, walletRent, recentPrices, balance] = await Promise.all([
    chain.rentExemption(metadataAccountSize(texts)),
    chain.rentExemption(CREATOR_TOKEN_ACCOUNT_SIZE),
    chain.rentExemption(0),
    chain.recentPrices([subject.mintAddress, creator]),
    chain.balance(creator),
    services.nonces.requireFunded(),
  ]);
  const price = computeUnitPrice(recentPrices, policy.maxComputeUnitPrice);
  const generous: WithoutNonce = {
    ...texts,
    creator,
    mint: subject.mintAddress,
    distributionWallet: subject.distributionWallet,
    decimals: subject.decimals,
    supply: BigInt(subject.supply),
    transferFeeBasisPoints: subject.transferFeeBasisPoints,
    transferFeeAdjustable: subject.transferFeeAdjustable,
    immutableMetadata: subject.immutableMetadata,
    computeUnitLimit: GENEROUS_UNIT_LIMIT,
    computeUnitPrice: price,
    mintRent,
  };
  const costAt = (limit: number): bigint =>
    creationCost({ mintRent, tokenAccountRent, computeUnitLimit: limit, computeUnitPrice: price });
  // The chain lets no wallet keep less than its own rent: who brings what is said to be needed must not fail for that.
  requireFunds(costAt(0) + walletRent, balance);

  // Without its price, which the generous limit would multiply beyond what the wallet has to hold.
  const rehearsal = buildCreationRehearsal({ ...generous, computeUnitPrice: 0n });
  const { error, logs, unitsConsumed } = await chain.simulate(rehearsal, { anyBlockhash: true });
  if (error !== undefined) throw simulationRefused(error, logs);
  const limit = computeUnitLimit(unitsConsumed + NONCE_ADVANCE_UNITS);
  requireFunds(costAt(limit) + walletRent, balance);
  return { transaction: { ...generous, computeUnitLimit: limit }, cost: costAt(limit) };
}

function requireFunds(needed: bigint, found: bigint): void {
  if (found >= needed) return;
  throw rejection('INSUFFICIENT_FUNDS', 'The wallet does not hold enough SOL for fees and rent.', {
    details: [
      { path: ['needed'], message: needed.toString() },
      { path: ['found'], message: found.toString() },
    ],
  });
}
