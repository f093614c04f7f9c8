/** The form of a new token: what is typed, what is wrong with it before it is sent, and the call's input. */
import type { TokenInput } from 'levy-client';
import { unitsOf } from './amounts.ts';

export interface TokenForm {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly website: string;
  readonly twitter: string;
  readonly telegram: string;
  readonly supply: string;
  readonly decimals: string;
  readonly transferFeePercent: string;
  readonly burnPercent: string;
  readonly developerFeePercent: string;
  readonly developerWallet: string;
  readonly minimumHoldingRequirement: string;
  readonly distributionInterval: NonNullable<TokenInput['distributionInterval']>;
  readonly rewardToken: 'SOL' | 'SELF';
  readonly transferFeeAdjustable: boolean;
}

export const INTERVALS = ['5m', '10m', '15m', '30m', '1h', '6h', '12h', '24h'] as const;

export const EMPTY_FORM: TokenForm = {
  name: '',
  symbol: '',
  description: '',
  website: '',
  twitter: '',
  telegram: '',
  supply: '1,000,000,000',
  decimals: '6',
  transferFeePercent: '5',
  burnPercent: '10',
  developerFeePercent: '0',
  developerWallet: '',
  minimumHoldingRequirement: '0',
  distributionInterval: '15m',
  rewardToken: 'SOL',
  transferFeeAdjustable: false,
};

/** What the API could not even be asked; everything else it says itself. Pure. */
export function faultsOf(form: TokenForm): { readonly [field: string]: string } {
  const decimals = decimalsOf(form);
  const amounts = ['supply', 'minimumHoldingRequirement'] as const;
  const percents = ['transferFeePercent', 'burnPercent', 'developerFeePercent'] as const;
  return Object.fromEntries([
    ...(form.name.trim() === '' ? [['name', 'A token needs a name.']] : []),
    ...(form.symbol.trim() === '' ? [['symbol', 'A token needs a symbol.']] : []),
    ...(decimals === undefined ? [['decimals', 'Must be a whole number from 0 to 9.']] : []),
    ...amounts
      .filter((name) => unitsOf(form[name], decimals ?? 9) === undefined)
      .map((name) => [name, `Must be a number with at most ${decimals ?? 9} decimals.`]),
    ...percents
      .filter((name) => !/^\d{1,3}(\.\d{1,2})?$/.test(form[name].trim()))
      .map((name) => [name, 'Must be a number with at most two decimals.']),
  ]);
}

/** Of a form without faults. */
export function inputOf(form: TokenForm): Omit<TokenInput, 'walletId' | 'imageUri'> {
  const decimals = decimalsOf(form) ?? 0;
  return {
    name: form.name.trim(),
    symbol: form.symbol.trim(),
    description: form.description.trim(),
    website: form.website.trim(),
    twitter: form.twitter.trim(),
    telegram: form.telegram.trim(),
    decimals,
    supply: unitsOf(form.supply, decimals) ?? '',
    transferFeePercent: Number(form.transferFeePercent),
    burnPercent: Number(form.burnPercent),
    developerFeePercent: Number(form.developerFeePercent),
    ...(form.developerWallet.trim() !== '' && { developerWallet: form.developerWallet.trim() }),
    minimumHoldingRequirement: unitsOf(form.minimumHoldingRequirement, decimals) ?? '0',
    distributionInterval: form.distributionInterval,
    rewardToken: form.rewardToken,
    transferFeeAdjustable: form.transferFeeAdjustable,
  };
}

function decimalsOf({ decimals }: TokenForm): number | undefined {
  return /^\d$/.test(decimals.trim()) ? Number(decimals) : undefined;
}
