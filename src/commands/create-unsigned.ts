/**
 * Issues a draft: the unsigned transaction that creates a token, valid for five minutes. Nothing is paid before it is
 * submitted.
 */

import { Type } from '@sinclair/typebox';
import {
  CREATOR_TOKEN_ACCOUNT_SIZE,
  checkCreationSize,
  creationInstructions,
  metadataAccountSize,
} from '../chain/creation-transaction.ts';
import { sealMintSecret } from '../chain/mint-secret.ts';
import { usableWallet } from '../drafts/claim-wallet.ts';
import { defineDraft } from '../drafts/define-draft.ts';
import type { PlanContext } from '../drafts/draft-plan.ts';
import { tokenCreation } from '../drafts/purposes/token-creation-behaviour.ts';
import type { DraftServices } from '../drafts/services.ts';
import { deriveId } from '../kernel/runtime/ids.ts';
import { cidOfImageUri, imageUriOf } from '../server/images/image-cid.ts';
import { PartnerShare } from '../streams/distribution-settings.ts';
import { PARTNERS, partnerNamed, partners } from '../streams/partners.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import { rejection } from '../streams/rejections.ts';
import { Address } from '../streams/value-types.ts';
import { UnsignedDraft, unsignedDraft } from '../views/unsigned-draft.ts';
import {
  requirePayable,
  requireSharesWithin100,
  unpayableReasons,
  walletsOfDeveloperPart,
} from './developer-wallets.ts';
import { readTokenInput, TokenInput, type TokenParameters } from './token-input.ts';

export const createUnsigned = defineDraft({
  name: 'CreateUnsigned',
  summary: 'Get the unsigned transaction that creates a token',
  description:
    'The third of the four steps, after the wallet and the image. Nothing is paid or put on the chain before the ' +
    'signed transaction is submitted. The creator pays the fee and the rent, in total `cost`. Valid for five ' +
    'minutes; a wallet can have at most three such drafts open.',
  route: { url: '/tokens/create-unsigned', operationId: 'createTokenDraft', limit: 'create-unsigned' },
  input: { body: TokenInput },
  output: Type.Object({
    ...UnsignedDraft.properties,
    partnerShare: Type.Optional(PartnerShare),
    mintKeypair: Type.Object({
      publicKey: Address,
      secretKey: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
        description: "ASCII bytes of a compact JWE to the creator's wallet key.",
        examples: [[101, 121, 74, 104, 98, 71, 99, 105]],
      }),
    }),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'REWARD_TOKEN_UNSUPPORTED',
    'SPLIT_EXCEEDS_100',
    'IMAGE_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_ALREADY_USED',
  ],
  sentBy: 'service',
  purpose: tokenCreation,

  async plan({ body }, context) {
    const { services, transactionId, creator } = context;
    const parameters = readTokenInput(body, creator, services.policy.maxTransferFeeBasisPoints);
    const distributionWallet = await usableWallet(services.executor, {
      walletId: body.walletId,
      transactionId,
      creator,
    });
    const subject = await subjectOf(context, body, parameters, distributionWallet);
    requireSharesWithin100(subject);
    const wallets = walletsOfDeveloperPart(subject);
    requirePayable(wallets, await unpayableReasons(services, wallets), subject);
    requireFittingSize(subject);
    const texts = { name: subject.name, symbol: subject.symbol, uri: subject.metadataUri };
    const [mintRent, tokenAccountRent] = await Promise.all([
      services.chain.rentExemption(metadataAccountSize(texts)),
      services.chain.rentExemption(CREATOR_TOKEN_ACCOUNT_SIZE),
    ]);
    return {
      subject,
      instructions: creationInstructions({
        ...texts,
        creator,
        mint: subject.mintAddress,
        distributionWallet,
        decimals: subject.decimals,
        supply: BigInt(subject.supply),
        transferFeeBasisPoints: subject.transferFeeBasisPoints,
        transferFeeAdjustable: subject.transferFeeAdjustable,
        immutableMetadata: subject.immutableMetadata,
        mintRent,
      }),
      payments: mintRent + tokenAccountRent,
      writable: [subject.mintAddress, creator],
      claim: () => retainImage(services, subject.imageCid),
    };
  },

  replaces: ({ walletId }, other) => other.kind === 'token-creation' && other.walletId === walletId,

  async answer(issued, { services }) {
    const { transactionId, creator } = issued;
    const mint = services.keyring.mint(transactionId);
    const envelopeSeed = services.keyring.mintSecretEnvelope(transactionId);
    return {
      ...unsignedDraft(issued),
      ...(issued.subject.partnerShare && { partnerShare: issued.subject.partnerShare }),
      mintKeypair: {
        publicKey: mint.address,
        secretKey: sealMintSecret({ secretKey: mint.secretKey, creator, envelopeSeed }),
      },
    };
  },
});

async function subjectOf(
  { services, transactionId, partner }: PlanContext,
  body: TokenInput,
  parameters: TokenParameters,
  distributionWallet: string,
): Promise<TokenCreation> {
  const imageCid = cidOfImageUri(body.imageUri);
  if (imageCid === undefined || !(await services.images.has(imageCid))) {
    throw rejection('IMAGE_NOT_FOUND', 'imageUri must be an image of this service; upload it first.');
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
    ...parameters,
    ...(partner === undefined ? {} : { partner, ...(await shareOf(services, partner)) }),
  };
}

/** Share of the partner in the developer's part; none for partners of `PARTNER_KEYS`, which are not in the log. */
async function shareOf(
  { executor }: DraftServices,
  partner: string,
): Promise<Pick<TokenCreation, 'partnerShare'>> {
  const { state } = await executor.load(partners, PARTNERS);
  const found = partnerNamed(state, partner);
  return found?.developerShare === undefined || found.ended
    ? {}
    : { partnerShare: { partner, ...found.developerShare } };
}

/** Reserves the image: from here on, the removal of unused images skips it. */
async function retainImage({ images }: DraftServices, cid: string): Promise<void> {
  if (await images.retain(cid)) return;
  throw rejection('IMAGE_NOT_FOUND', 'The image was removed because it was unused; upload it again.');
}

function requireFittingSize(subject: TokenCreation): void {
  const { size, limit, fits } = checkCreationSize({ ...subject, uri: subject.metadataUri });
  if (fits) return;
  throw rejection('VALIDATION_FAILED', 'Name and symbol are too long for one transaction.', {
    details: [{ path: ['name'], message: `makes the transaction ${size} bytes long; the limit is ${limit}` }],
  });
}
