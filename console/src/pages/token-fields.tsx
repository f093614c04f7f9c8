/** Fields of a new token, with a preview of its tax and split. */
import { configuration } from '../configuration.ts';
import { percentText } from '../format/amounts.ts';
import { intervalText } from '../format/times.ts';
import { INTERVALS, type TokenForm } from '../format/token-form.ts';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { PictureField } from '../parts/picture-field.tsx';
import { SplitBar, SplitLegend } from '../parts/split-bar.tsx';

interface FieldsProps {
  readonly form: TokenForm;
  readonly faults: { readonly [field: string]: string };
  /** Warnings by field, shown instead of hints. */
  readonly warnings: { readonly [field: string]: string };
  readonly onChange: (form: TokenForm) => void;
}

const REQUIRED: ReadonlySet<string> = new Set(['name', 'symbol', 'supply', 'decimals', 'transferFeePercent']);

type TextName = { [Name in keyof TokenForm]: string extends TokenForm[Name] ? Name : never }[keyof TokenForm];

export function TokenFields({
  picture,
  onPicture,
  ...fields
}: FieldsProps & {
  readonly picture: File | undefined;
  readonly onPicture: (picture: File | undefined) => void;
}) {
  const { form, faults } = fields;
  return (
    <div class="stack">
      <section class="card">
        <h2>The token</h2>
        <p class="meta">Fields with * are required.</p>
        <div class="fields">
          <Text
            {...fields}
            name="name"
            label="Name"
            hint="Up to 32 bytes: letters beyond A to Z take more than one."
          />
          <Text {...fields} name="symbol" label="Symbol" hint="Up to 10 bytes." />
          <Text
            {...fields}
            name="supply"
            label="Supply"
            hint="In whole tokens. Minted once, to your wallet."
          />
          <Text {...fields} name="decimals" label="Decimals" hint="From 0 to 9." maxLength={1} />
        </div>
        <PictureField picture={picture} fault={faults.image ?? faults.imageUri} onChoose={onPicture} />
        <Field name="description" label="Description" fault={faults.description}>
          <textarea
            {...controlOf('description', faults.description)}
            rows={3}
            value={form.description}
            onInput={({ currentTarget }) => fields.onChange({ ...form, description: currentTarget.value })}
          />
        </Field>
        <div class="fields">
          <Text {...fields} name="website" label="Website" hint="https address, optional." />
          <Text {...fields} name="twitter" label="X" hint="https address, optional." />
          <Text {...fields} name="telegram" label="Telegram" hint="https address, optional." />
        </div>
      </section>
      <Tax {...fields} />
    </div>
  );
}

function Tax(fields: FieldsProps) {
  const { form, faults, onChange } = fields;
  const [burn, developer] = [Number(form.burnPercent), Number(form.developerFeePercent)];
  const isShown = burn >= 0 && developer >= 0 && burn + developer <= 100;
  return (
    <section class="card">
      <h2>Tax and its distribution</h2>
      <div class="fields">
        <Text {...fields} name="transferFeePercent" label="Tax on each transfer (%)" />
        <Text {...fields} name="burnPercent" label="Burned (% of the tax)" />
        <Text {...fields} name="developerFeePercent" label="Developer share (% of the tax)" />
      </div>
      {isShown && (
        <>
          <p class="meta">
            {percentText(Number(form.transferFeePercent) || 0)} of every transfer, and of that:
          </p>
          <SplitBar burnPercent={burn} developerFeePercent={developer} />
          <SplitLegend burnPercent={burn} developerFeePercent={developer} />
        </>
      )}
      <div class="fields">
        <Text {...fields} name="developerWallet" label="Developer wallet" hint="Defaults to your wallet." />
        <Text
          {...fields}
          name="minimumHoldingRequirement"
          label="Minimum holding"
          hint="In whole tokens. 0 pays every holder."
        />
        <Field name="rewardToken" label="Reward asset" fault={faults.rewardToken}>
          <select
            {...controlOf('rewardToken', faults.rewardToken)}
            value={form.rewardToken}
            onChange={({ currentTarget }) =>
              onChange({ ...form, rewardToken: currentTarget.value === 'SELF' ? 'SELF' : 'SOL' })
            }
          >
            <option value="SOL">SOL</option>
            <option value="SELF">the token itself</option>
          </select>
        </Field>
        <Field
          name="distributionInterval"
          label="Distribution interval"
          hint={configuration.value?.faucet && 'The shortest interval, to see a run soon.'}
          fault={faults.distributionInterval}
        >
          <select
            {...controlOf('distributionInterval', faults.distributionInterval)}
            value={form.distributionInterval}
            onChange={({ currentTarget }) =>
              onChange({
                ...form,
                distributionInterval: INTERVALS.find((each) => each === currentTarget.value) ?? '15m',
              })
            }
          >
            {INTERVALS.map((interval) => (
              <option key={interval} value={interval}>
                {intervalText(interval)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={form.transferFeeAdjustable}
          onChange={({ currentTarget }) =>
            onChange({ ...form, transferFeeAdjustable: currentTarget.checked })
          }
        />
        Let me change the tax later (otherwise it is fixed permanently)
      </label>
    </section>
  );
}

function Text({
  form,
  faults,
  warnings,
  onChange,
  name,
  label,
  hint,
  maxLength,
}: FieldsProps & {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly maxLength?: number;
}) {
  return (
    <TextField
      name={name}
      label={label}
      hint={warnings[name] === undefined ? hint : <strong>{warnings[name]}</strong>}
      fault={faults[name]}
      required={REQUIRED.has(name)}
      value={form[name]}
      maxLength={maxLength}
      spellcheck={false}
      onType={(typed) => onChange({ ...form, [name]: typed })}
    />
  );
}
