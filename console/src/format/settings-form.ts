/** Settings form: validation, difference to the stored settings, and text of each setting. */
import type { DistributionSettings } from 'levy-client';
import { amountFault, exactAmount, percentFault, percentText, unitsOf } from './amounts.ts';
import { sharesFault, sharesLine, sharesOf, sharesText } from './shares.ts';
import { intervalText } from './times.ts';
import { addressFault, given, REWARDS, splitFault } from './token-form.ts';

export type Settings = DistributionSettings;

/** Editable settings. A reward in another token and a Telegram group are available through the API only. */
export interface SettingsForm {
  readonly distributionEnabled: boolean;
  readonly distributionInterval: Settings['distributionInterval'];
  readonly distributionModel: Settings['distributionModel'];
  readonly rewardToken: string;
  readonly burnPercent: string;
  readonly developerFeePercent: string;
  readonly percentageToSellPerDistribution: string;
  readonly developerWallet: string;
  /** One wallet per line: its address and its percentage of the developer's part. */
  readonly developerWallets: string;
  readonly minimumHoldingRequirement: string;
}

type Name = keyof SettingsForm;

export const LABELS: { readonly [Each in Name]: string } = {
  distributionEnabled: 'Distribution',
  distributionInterval: 'Distribution interval',
  distributionModel: 'Distribution model',
  rewardToken: 'Reward asset',
  burnPercent: 'Burned (% of the tax)',
  developerFeePercent: 'Developer share (% of the tax)',
  percentageToSellPerDistribution: 'Sold per run (%)',
  developerWallet: 'Developer wallet',
  developerWallets: 'Other wallets of the developer’s part',
  minimumHoldingRequirement: 'Minimum holding',
};

export const MODELS: { readonly [Each in Settings['distributionModel']]: string } = {
  proportional: 'proportional to the holding',
  'square-root': 'square root of the holding',
};

const NAMES = Object.keys(LABELS) as readonly Name[];
const PERCENTS = ['burnPercent', 'developerFeePercent', 'percentageToSellPerDistribution'] as const;

export function formOf(settings: Settings, decimals: number): SettingsForm {
  return {
    ...settings,
    burnPercent: String(settings.burnPercent),
    developerFeePercent: String(settings.developerFeePercent),
    percentageToSellPerDistribution: String(settings.percentageToSellPerDistribution),
    developerWallets: sharesText(settings.developerWallets),
    minimumHoldingRequirement: exactAmount(settings.minimumHoldingRequirement, decimals),
  };
}

/** Errors by field, found before the request. The API validates again. */
export function faultsOf(
  form: SettingsForm,
  decimals: number,
  partnerShare?: Settings['partnerShare'],
): { readonly [field: string]: string } {
  return given({
    ...Object.fromEntries(PERCENTS.map((name) => [name, percentFault(form[name])])),
    minimumHoldingRequirement: amountFault(form.minimumHoldingRequirement, decimals),
    developerFeePercent: percentFault(form.developerFeePercent) ?? splitFault(form),
    developerWallet: addressFault(form.developerWallet),
    developerWallets: sharesFault(form.developerWallets, partnerShare?.basisPoints),
  });
}

/** Changed settings as API input. The form must be free of errors. */
export function changeOf(form: SettingsForm, settings: Settings, decimals: number): Partial<Settings> {
  const wanted = {
    ...form,
    burnPercent: Number(form.burnPercent),
    developerFeePercent: Number(form.developerFeePercent),
    percentageToSellPerDistribution: Number(form.percentageToSellPerDistribution),
    developerWallet: form.developerWallet.trim(),
    developerWallets: sharesOf(form.developerWallets),
    minimumHoldingRequirement: unitsOf(form.minimumHoldingRequirement, decimals) ?? '',
  };
  const stored = { developerWallets: [], ...settings };
  return Object.fromEntries(
    NAMES.filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(stored[name])).map((name) => [
      name,
      wanted[name],
    ]),
  );
}

/** Applies edits made on older settings to newer ones: untouched fields follow the newer settings. */
export function rebased(
  form: SettingsForm,
  before: Settings,
  after: Settings,
  decimals: number,
): SettingsForm {
  const typed = Object.keys(changeOf(form, before, decimals)) as Name[];
  return { ...formOf(after, decimals), ...Object.fromEntries(typed.map((name) => [name, form[name]])) };
}

/** Label and text of each given setting, in form order. */
export function linesOf(
  settings: Partial<Settings>,
  decimals: number,
): readonly { readonly name: Name; readonly label: string; readonly text: string }[] {
  return NAMES.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [{ name, label: LABELS[name], text: textOf(name, value, decimals) }];
  });
}

function textOf(name: Name, value: NonNullable<Settings[Name]>, decimals: number): string {
  if (Array.isArray(value)) return sharesLine(value);
  if (typeof value === 'boolean') return value ? 'on' : 'switched off';
  if (typeof value === 'number') return percentText(value);
  if (name === 'distributionInterval') return intervalText(value);
  if (name === 'distributionModel') return MODELS[value as Settings['distributionModel']];
  if (name === 'minimumHoldingRequirement') return exactAmount(value, decimals);
  return name === 'rewardToken' ? (REWARDS[value] ?? value) : value;
}
