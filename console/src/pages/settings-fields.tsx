/** Fields of the settings form, with a preview of the split. */
import { percentText } from '../format/amounts.ts';
import { LABELS, MODELS, type Settings, type SettingsForm } from '../format/settings-form.ts';
import { intervalText } from '../format/times.ts';
import { INTERVALS, REWARDS } from '../format/token-form.ts';
import { Words } from '../parts/basics.tsx';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { SplitBar, SplitLegend } from '../parts/split-bar.tsx';

interface FieldsProps {
  readonly form: SettingsForm;
  readonly partnerShare?: Settings['partnerShare'];
  readonly faults: { readonly [field: string]: string };
  /** Warnings by field, shown instead of hints. */
  readonly warnings: { readonly [field: string]: string };
  readonly onChange: (form: SettingsForm) => void;
}

type ChoiceName = 'distributionInterval' | 'distributionModel' | 'rewardToken';
type TextName = Exclude<keyof SettingsForm, ChoiceName | 'distributionEnabled' | 'developerWallets'>;

export function SettingsFields(fields: FieldsProps) {
  const { form, onChange } = fields;
  const [burn, developer] = [Number(form.burnPercent), Number(form.developerFeePercent)];
  const isShown = burn >= 0 && developer >= 0 && burn + developer <= 100;
  return (
    <section class="card">
      <h2>The settings</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={form.distributionEnabled}
          onChange={({ currentTarget }) => onChange({ ...form, distributionEnabled: currentTarget.checked })}
        />
        Distribute the collected tax. While off, the tax accumulates.
      </label>
      <div class="fields">
        <Text {...fields} name="burnPercent" />
        <Text {...fields} name="developerFeePercent" />
        <Text {...fields} name="percentageToSellPerDistribution" />
      </div>
      {isShown && (
        <>
          <SplitBar burnPercent={burn} developerFeePercent={developer} />
          <SplitLegend burnPercent={burn} developerFeePercent={developer} />
        </>
      )}
      <div class="fields">
        <Text {...fields} name="developerWallet" />
        <Text {...fields} name="minimumHoldingRequirement" hint="In whole tokens. 0 pays every holder." />
        <Choice
          {...fields}
          name="rewardToken"
          // Offers a reward token that was set through the API as well.
          choices={{ ...REWARDS, [form.rewardToken]: REWARDS[form.rewardToken] ?? form.rewardToken }}
        />
        <Choice
          {...fields}
          name="distributionInterval"
          choices={Object.fromEntries(INTERVALS.map((each) => [each, intervalText(each)]))}
        />
        <Choice {...fields} name="distributionModel" choices={MODELS} />
      </div>
      <DeveloperShares {...fields} />
    </section>
  );
}

function Text({
  form,
  faults,
  warnings,
  onChange,
  name,
  hint,
}: FieldsProps & { readonly name: TextName; readonly hint?: string }) {
  return (
    <TextField
      name={name}
      label={LABELS[name]}
      hint={warnings[name] === undefined ? hint : <strong>{warnings[name]}</strong>}
      fault={faults[name]}
      value={form[name]}
      spellcheck={false}
      onType={(typed) => onChange({ ...form, [name]: typed })}
    />
  );
}

function DeveloperShares({ form, partnerShare, faults, onChange }: FieldsProps) {
  const [name, fault] = ['developerWallets', faults.developerWallets] as const;
  return (
    <Field
      name={name}
      label={LABELS[name]}
      hint="One wallet per line: its address and its percentage of the developer’s part. The developer wallet gets the rest."
      fault={fault}
    >
      <textarea
        {...controlOf(name, fault)}
        class="mono"
        rows={3}
        value={form.developerWallets}
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ ...form, developerWallets: currentTarget.value })}
      />
      {partnerShare !== undefined && (
        <small>
          {percentText(partnerShare.basisPoints / 100)} of the developer’s part goes to{' '}
          <Words text={partnerShare.partner} />, through which the token was created.
        </small>
      )}
    </Field>
  );
}

function Choice({
  form,
  faults,
  onChange,
  name,
  choices,
}: FieldsProps & { readonly name: ChoiceName; readonly choices: { readonly [value: string]: string } }) {
  return (
    <Field name={name} label={LABELS[name]} fault={faults[name]}>
      <select
        {...controlOf(name, faults[name])}
        value={form[name]}
        onChange={({ currentTarget }) => onChange({ ...form, [name]: currentTarget.value })}
      >
        {Object.entries(choices).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
