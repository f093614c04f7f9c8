/** Submits the signed creation transaction, and responds with the token once the chain has confirmed it. */
import { Type } from '@sinclair/typebox';
import { defineSubmission } from '../drafts/define-submission.ts';
import { tokenCreation } from '../drafts/purposes/token-creation-behaviour.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address, Signature, Timestamp } from '../streams/value-types.ts';

export const submit = defineSubmission({
  name: 'SubmitToken',
  summary: 'Submit the signed transaction',
  description:
    'The last of the four steps. Sends the signed transaction and responds once the chain has confirmed it. The ' +
    'same call again never creates a second token: after a `CONFIRMATION_PENDING`, repeat it or poll `GET ' +
    '/transactions/{transactionId}`.',
  route: { url: '/tokens/submit', limit: 'submit' },
  purpose: tokenCreation,
  rejections: ['WALLET_ALREADY_USED', 'CONCURRENT_CHANGE'],
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    mintAddress: Address,
    token: Type.Object({
      id: Uuid,
      mintAddress: Address,
      name: Type.String({ examples: ['Sunrise'] }),
      symbol: Type.String({ examples: ['SUN'] }),
      imageUri: Type.String({
        examples: [
          'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
        ],
      }),
      createdAt: Timestamp,
    }),
  }),
  answer({ subject: { tokenId, mintAddress, name, symbol, imageUri }, landed }, event) {
    const createdAt = event.metadata.occurredAt;
    return {
      success: true,
      signature: landed.signature,
      mintAddress,
      token: { id: tokenId, mintAddress, name, symbol, imageUri, createdAt },
    };
  },
});
