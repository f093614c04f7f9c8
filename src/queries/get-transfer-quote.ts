/** Returns the tax of a transfer and the amount that arrives, in the current epoch of the chain and in the next one. */
import { Type } from '@sinclair/typebox';
import { feeOfTransfer, U64_MAX } from 'levy-solana-wire';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { basisPointsFromPercent, percentFromBasisPoints } from '../streams/percent.ts';
import { invalidFieldRejection, rejection } from '../streams/rejections.ts';
import { Address, Amount, described } from '../streams/value-types.ts';
import { isVisibleTo, TokenReference, tokenIdOf } from '../views/token-access.ts';
import { TransferFeeMaximum } from '../views/transfer-fee-view.ts';

const EpochQuote = Type.Object(
  {
    epoch: described(Amount, 'Epoch of the chain.'),
    transferFeePercent: Type.Number({ description: 'Tax on a transfer in this epoch.' }),
    transferFeeMaximum: TransferFeeMaximum,
    fee: described(Amount, 'Base units that the chain withholds, rounded up.'),
    received: described(Amount, 'Base units that arrive.'),
  },
  {
    title: 'EpochQuote',
    examples: [
      { epoch: '811', transferFeePercent: 3, transferFeeMaximum: null, fee: '30000', received: '970000' },
    ],
  },
);

export interface EpochServices {
  /** Current epoch of the chain, at most some seconds old. Rejects with `ChainUnavailable`. */
  readonly epoch: () => Promise<bigint>;
}

export const getTransferQuote = queriesFor<RuntimeServices & EpochServices>()({
  name: 'GetTransferQuote',
  summary: 'Get the tax and the received amount of a transfer',
  description:
    'The tax that the chain withholds from a transfer of `amount`, and the amount that arrives. A change of the tax takes ' +
    'effect at the start of an epoch, so the response has the current epoch and the next one.',
  route: { method: 'GET', url: '/tokens/:mintAddress/transfer-quote', auth: 'optional' },
  input: {
    params: Type.Object({ mintAddress: TokenReference }),
    query: Type.Object(
      {
        amount: Type.String({
          pattern: '^(0|[1-9][0-9]{0,19})$',
          description: `Base units to transfer, at most ${U64_MAX}.`,
          examples: ['1000000'],
        }),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object(
    {
      mintAddress: Address,
      amount: described(Amount, 'Base units to transfer.'),
      currentEpoch: EpochQuote,
      nextEpoch: EpochQuote,
    },
    { title: 'TransferQuote' },
  ),
  rejections: ['TOKEN_NOT_FOUND', 'VALIDATION_FAILED', 'CHAIN_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  async answer({ params, query }, { services: { readModel, epoch }, call: { actor } }) {
    const amount = BigInt(query.amount);
    if (amount > U64_MAX)
      throw invalidFieldRejection('amount', `must be at most ${U64_MAX}`, 'Invalid amount.');
    const token = await readModel.get(tokens, tokenIdOf(params.mintAddress));
    if (!isVisibleTo(token, actor)) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
    const now = await epoch();
    return {
      mintAddress: token.mintAddress,
      amount: query.amount,
      currentEpoch: quoteIn(token, now, amount),
      nextEpoch: quoteIn(token, now + 1n, amount),
    };
  },
});

function quoteIn(token: TokenDocument, epoch: bigint, amount: bigint) {
  const { basisPoints, maximum } = rateIn(token, epoch);
  const maximumFee = maximum === null ? U64_MAX : BigInt(maximum);
  const fee = feeOfTransfer({ basisPoints, maximumFee }, amount);
  return {
    epoch: epoch.toString(),
    transferFeePercent: percentFromBasisPoints(basisPoints),
    transferFeeMaximum: maximum,
    fee: fee.toString(),
    received: (amount - fee).toString(),
  };
}

function rateIn(
  { transferFeePercent, transferFeeMaximum, pendingTransferFee }: TokenDocument,
  epoch: bigint,
): { readonly basisPoints: number; readonly maximum: string | null } {
  if (pendingTransferFee !== null && epoch >= BigInt(pendingTransferFee.fromEpoch)) return pendingTransferFee;
  return { basisPoints: basisPointsFromPercent(transferFeePercent) ?? 0, maximum: transferFeeMaximum };
}
