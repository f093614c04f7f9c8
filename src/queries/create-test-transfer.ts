/** Builds a token transfer for its holder to sign, so that the test chain has tax to collect. Records nothing. */
import { Type } from '@sinclair/typebox';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token';
import {
  associatedTokenAddress,
  compileLegacyMessage,
  TOKEN_2022_PROGRAM,
  U64_MAX,
  unsignedTransaction,
} from 'levy-solana-wire';
import { tokenInstruction } from '../chain/web3-instruction.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { tokens } from '../projections/tokens.ts';
import { invalidFieldRejection, rejection } from '../streams/rejections.ts';
import { Amount, described } from '../streams/value-types.ts';
import { requireWalletAddress } from '../views/address-params.ts';
import { type TestChainServices, testChainOf } from './test-chain-services.ts';

const Wallet = Type.String({ minLength: 1, maxLength: 100 });

export const createTestTransfer = queriesFor<Pick<RuntimeServices, 'readModel'> & TestChainServices>()({
  name: 'CreateTestTransfer',
  summary: 'Get a test transfer to sign',
  description:
    'A test transfer on the embedded chain, which has no trades: one wallet sends tokens to another, and the ' +
    'chain withholds the tax. The sender signs it and pays for it; `POST /faucet/transfers/submit` sends it. ' +
    'Other chains return 404 `NO_FAUCET`.',
  route: {
    method: 'POST',
    url: '/faucet/transfers/create-unsigned',
    auth: 'none',
    limit: 'faucet',
    ignoresIdempotencyKey: true,
  },
  input: {
    body: Type.Object(
      {
        mintAddress: Wallet,
        sender: Wallet,
        recipient: Wallet,
        amount: described(Amount, 'Base units, including the tax.'),
      },
      {
        additionalProperties: false,
        examples: [
          {
            mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
            sender: 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD',
            recipient: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj',
            amount: '1000000',
          },
        ],
      },
    ),
  },
  output: Type.Object({
    transaction: Type.String({
      description: 'Base64, unsigned; valid for about a minute.',
      examples: ['AQAA'],
    }),
  }),
  rejections: ['VALIDATION_FAILED', 'INVALID_ADDRESS', 'NO_FAUCET', 'TOKEN_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
  async answer({ body: { mintAddress, sender, recipient, amount } }, { services }) {
    const { recentBlockhash } = testChainOf(services);
    requireWalletAddress('sender', sender);
    requireWalletAddress('recipient', recipient);
    const [token] = await services.readModel.find(tokens, 'mint', mintAddress, { limit: 1 });
    if (token === undefined || token.hidden) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
    if (BigInt(amount) > U64_MAX) {
      throw invalidFieldRejection('amount', 'must fit 64 bits', 'amount exceeds 64 bits.');
    }
    const receiving = associatedTokenAddress(recipient, mintAddress);
    const { blockhash } = await recentBlockhash();
    const { bytes } = compileLegacyMessage({
      payer: sender,
      recentBlockhash: blockhash,
      instructions: [
        tokenInstruction(
          createAssociatedTokenAccountIdempotentInstruction,
          sender,
          receiving,
          recipient,
          mintAddress,
          TOKEN_2022_PROGRAM,
        ),
        tokenInstruction(
          createTransferCheckedInstruction,
          associatedTokenAddress(sender, mintAddress),
          mintAddress,
          receiving,
          sender,
          BigInt(amount),
          token.decimals,
          [],
          TOKEN_2022_PROGRAM,
        ),
      ],
    });
    return { transaction: Buffer.from(unsignedTransaction(bytes)).toString('base64') };
  },
});
