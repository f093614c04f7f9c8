/** Form of a new token: validation, warnings and API input. */
import type { PublicConfiguration, TokenInput } from 'levy-client';
import { amountFault, percentFault, unitsOf } from './amounts.ts';
import { httpsLink } from './texts.ts';

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

/** Configurable limits that the form checks. */
type Limits = Pick<
  PublicConfiguration['tokens'],
  'nameLimits' | 'symbolLimits' | 'descriptionLimits' | 'maxTransferFeePercent'
>;

/** Errors by field, found before the request. The API validates again. Limits may still be unloaded. */
export function faultsOf(
  form: TokenForm,
  limits: Partial<Limits> = {},
): { readonly [field: string]: string } {
  const decimals = decimalsOf(form);
  return given({
    name: textFault(form.name, 'name', limits.nameLimits?.bytes),
    symbol: textFault(form.symbol, 'symbol', limits.symbolLimits?.bytes),
    description: lengthFault(form.description, limits.descriptionLimits?.characters),
    website: linkFault(form.website),
    twitter: linkFault(form.twitter),
    telegram: linkFault(form.telegram),
    decimals: decimals === undefined ? 'Must be a whole number from 0 to 9.' : undefined,
    supply:
      amountFault(form.supply, decimals ?? 9) ??
      (unitsOf(form.supply, decimals ?? 9) === '0' ? 'Must be more than 0.' : undefined),
    minimumHoldingRequirement: amountFault(form.minimumHoldingRequirement, decimals ?? 9),
    transferFeePercent: percentFault(form.transferFeePercent, limits.maxTransferFeePercent),
    burnPercent: percentFault(form.burnPercent),
    developerFeePercent: percentFault(form.developerFeePercent) ?? splitFault(form),
    developerWallet: form.developerWallet.trim() === '' ? undefined : addressFault(form.developerWallet),
  });
}

/** Warnings about valid settings under which no holder is paid. */
export function warningsOf(
  form: Pick<TokenForm, 'minimumHoldingRequirement'> & { readonly transferFeePercent?: string },
  supply: string | undefined,
  decimals: number,
): { readonly [field: string]: string } {
  const minimum = unitsOf(form.minimumHoldingRequirement, decimals);
  const isAbove = minimum !== undefined && supply !== undefined && BigInt(minimum) > BigInt(supply);
  return given({
    transferFeePercent:
      form.transferFeePercent !== undefined && Number(form.transferFeePercent) === 0
        ? 'Without a tax nobody is paid.'
        : undefined,
    minimumHoldingRequirement: isAbove ? 'More than the supply: nobody is paid.' : undefined,
  });
}

function lengthFault(text: string, characters = Number.POSITIVE_INFINITY): string | undefined {
  return [...text].length > characters ? `Must have at most ${characters} characters.` : undefined;
}

function textFault(typed: string, what: string, bytes = Number.POSITIVE_INFINITY): string | undefined {
  const text = typed.trim();
  if (text === '') return `A token needs a ${what}.`;
  return new TextEncoder().encode(text).length > bytes
    ? `Must be at most ${bytes} bytes; letters beyond A to Z take two to four.`
    : undefined;
}

function linkFault(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || (text.length <= 200 && httpsLink(text) !== undefined)
    ? undefined
    : 'Must be an https address of at most 200 characters.';
}

/** Error if burn and developer fee exceed 100 %: both are percentages of the same tax. */
export function splitFault({
  burnPercent,
  developerFeePercent,
}: Pick<TokenForm, 'burnPercent' | 'developerFeePercent'>): string | undefined {
  return Number(burnPercent) + Number(developerFeePercent) > 100
    ? 'Burned and developer share together must be at most 100 %.'
    : undefined;
}

export function addressFault(typed: string): string | undefined {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(typed.trim()) ? undefined : 'Must be a Solana address.';
}

/** Removes fields without an error. */
export function given(faults: { readonly [field: string]: string | undefined }): {
  readonly [field: string]: string;
} {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([field, fault]) => (fault === undefined ? [] : [[field, fault]])),
  );
}

/** API input. The form must be free of errors. */
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

export function decimalsOf({ decimals }: TokenForm): number | undefined {
  return /^\d$/.test(decimals.trim()) ? Number(decimals) : undefined;
}
