/** Faucet of the embedded chain. Records nothing and needs no key: the chain itself creates the lamports. */
import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Address, Amount } from '../streams/value-types.ts';
import { requireWalletAddress } from '../views/address-params.ts';
import { type TestChainServices, testChainOf } from './test-chain-services.ts';

/** Lamports per request: enough for a token, its launch, and a few hundred transfers. */
const GIVEN = 2_000_000_000n;

export const requestTestLamports = queriesFor<TestChainServices>()({
  name: 'RequestTestLamports',
  summary: 'Get SOL of the embedded chain',
  description:
    'Sends a wallet 2 worthless SOL for testing, and responds when they have arrived. Only on the embedded ' +
    'chain (`faucet` of `GET /config`); other chains return 404 `NO_FAUCET`. Nothing is recorded.',
  route: { method: 'POST', url: '/faucet', auth: 'none', limit: 'faucet', ignoresIdempotencyKey: true },
  input: {
    body: Type.Object(
      { walletAddress: Type.String({ minLength: 1, maxLength: 100 }) },
      {
        additionalProperties: false,
        examples: [{ walletAddress: 'HF3j6qvcCQJRyXLKwpDYw1MMjbsWP9wB72L471rSBNxD' }],
      },
    ),
  },
  output: Type.Object({
    walletAddress: Address,
    lamports: Type.String({
      ...Amount,
      description: 'Amount received.',
      examples: [GIVEN.toString()],
    }),
  }),
  rejections: ['INVALID_ADDRESS', 'NO_FAUCET', 'CHAIN_UNAVAILABLE'],
  async answer({ body: { walletAddress } }, { services }) {
    const { airdrop } = testChainOf(services);
    requireWalletAddress('walletAddress', walletAddress);
    await airdrop(walletAddress, GIVEN);
    return { walletAddress, lamports: GIVEN.toString() };
  },
});
