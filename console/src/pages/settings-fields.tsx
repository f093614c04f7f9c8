/** Fields of the settings form, with a preview of the split. */
import { LABELS, MODELS, type SettingsForm } from '../format/settings-form.ts';
import { intervalText } from '../format/times.ts';
import { INTERVALS, REWARDS } from '../format/token-form.ts';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { SplitBar, SplitLegend } from '../parts/split-bar.tsx';

interface FieldsProps {
  readonly form: SettingsForm;
  readonly faults: { readonly [field: string]: string };
  /** Warnings by field, shown instead of hints. */
  readonly warnings: { readonly [field: string]: string };
  readonly onChange: (form: SettingsForm) => void;
}

type ChoiceName = 'distributionInterval' | 'distributionModel' | 'rewardToken';
type TextName = Exclude<keyof SettingsForm, ChoiceName | 'distributionEnabled'>;

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
