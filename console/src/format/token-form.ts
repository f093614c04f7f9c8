/** The form of a new token: what is typed, what is wrong with it before it is sent, and the call's input. */
import type { TokenInput } from 'levy-client';
import { amountFault, percentFault, unitsOf } from './amounts.ts';

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

export const REWARDS: { readonly [token: string]: string } = { SOL: 'SOL', SELF: 'the token itself' };

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
  return given({
    name: form.name.trim() === '' ? 'A token needs a name.' : undefined,
    symbol: form.symbol.trim() === '' ? 'A token needs a symbol.' : undefined,
    decimals: decimals === undefined ? 'Must be a whole number from 0 to 9.' : undefined,
    supply: amountFault(form.supply, decimals ?? 9),
    minimumHoldingRequirement: amountFault(form.minimumHoldingRequirement, decimals ?? 9),
    transferFeePercent: percentFault(form.transferFeePercent),
    burnPercent: percentFault(form.burnPercent),
    developerFeePercent: percentFault(form.developerFeePercent),
  });
}

/** Those that there are. */
export function given(faults: { readonly [field: string]: string | undefined }): {
  readonly [field: string]: string;
} {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([field, fault]) => (fault === undefined ? [] : [[field, fault]])),
  );
}

/** What is sent for a form without faults. */
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
