// Quotes of transfers are exact to the base unit, before and after a change of the tax.
import { describe, expect, test } from 'vitest';
import { quoteTransfer } from '../../../packages/client/src/transfer-quote.ts';
import { getTransferQuote } from '../../../src/queries/get-transfer-quote.ts';
import { TokenHidden, TransferFeeChanged, type TransferFeeRates } from '../../../src/streams/token.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { answering, querySpec } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const spec = querySpec(getTransferQuote);
const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const asked = (amount: string, epoch = async () => 811n, actor: string = addresses.creator) => ({
  params: { mintAddress: tokenId },
  query: { amount },
  services: { epoch },
  actor,
});
const change = (fee: Pick<TransferFeeRates, 'basisPoints' | 'maximum' | 'pending'>) =>
  happening(tokenId, TransferFeeChanged({ tokenId, transactionId: null, ...fee, slot: '7' }));

/** The same rate in both epochs. */
function answer(amount: string, rate: { percent: number; maximum: string | null }, parts: readonly string[]) {
  const [fee, received] = parts;
  const quote = { transferFeePercent: rate.percent, transferFeeMaximum: rate.maximum, fee, received };
  return {
    mintAddress: addresses.mint,
    amount,
    currentEpoch: { epoch: '811', ...quote },
    nextEpoch: { epoch: '812', ...quote },
  };
}

describe('a rate of 1.23 percent', () => {
  test.each([
    ['0', '0', '0'],
    // The chain rounds the tax up.
    ['1', '1', '0'],
    ['10000', '123', '9877'],
    ['10001', '124', '9877'],
    ['18446744073709551615', '226894952106627485', '18219849121602924130'],
  ])('leaves of %s', async (amount, ...parts) => {
    const rate = { percent: 1.23, maximum: null };
    await spec
      .given(created)
      .when(asked(amount))
      .answers(answer(amount, rate, parts));
    const [fee, received] = parts;
    expect(quoteTransfer(amount, { transferFeePercent: 1.23, transferFeeMaximum: null })).toEqual({
      fee,
      received,
    });
  });
});

test('no transfer is taxed more than the maximum', async () => {
  const capped = change({ basisPoints: 123, maximum: '50', pending: null });
  const rate = { percent: 1.23, maximum: '50' };
  await spec
    .given(created, capped)
    .when(asked('4065'))
    .answers(answer('4065', rate, ['50', '4015']));
  await spec
    .given(created, capped)
    .when(asked('1000000'))
    .answers(answer('1000000', rate, ['50', '999950']));
  expect(quoteTransfer(1_000_000n, { transferFeePercent: 1.23, transferFeeMaximum: '50' })).toEqual({
    fee: '50',
    received: '999950',
  });
});

test.each([
  [810n, '123', '123'],
  [811n, '123', '7'],
  // The change is in effect although no event has recorded that yet.
  [812n, '7', '7'],
])('a pending tax applies from its epoch on: in epoch %s', async (epoch, now, next) => {
  const pending = { basisPoints: 7, maximum: null, fromEpoch: '812' };
  const ask = await answering([created, change({ basisPoints: 123, maximum: null, pending })]);
  expect(
    await ask(
      getTransferQuote,
      asked('10000', async () => epoch),
    ),
  ).toMatchObject({
    currentEpoch: { epoch: `${epoch}`, fee: now },
    nextEpoch: { epoch: `${epoch + 1n}`, fee: next },
  });
});

test('is refused for more than a transfer can hold, and for a token that the caller cannot see', async () => {
  await spec.given(created).when(asked('18446744073709551616')).rejects('VALIDATION_FAILED');
  await spec.given().when(asked('1')).rejects('TOKEN_NOT_FOUND');
  const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'spam' }));
  const stranger = asked('1', undefined, addresses.nonceAccount);
  await spec.given(created, hidden).when(stranger).rejects('TOKEN_NOT_FOUND');
});
