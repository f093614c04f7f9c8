// The smallest body that creates a token: every optional field left out.
import type { TokenInput } from '../../../src/commands/token-input.ts';
import { ids, token } from '../../support/domain-examples.ts';

export const tokenInput: TokenInput = {
  walletId: ids.walletId,
  name: 'Levy Example',
  symbol: 'LEVY',
  description: '',
  imageUri: token.imageUri,
  transferFeePercent: 1.23,
  decimals: 6,
  supply: '1000000000000000',
};
