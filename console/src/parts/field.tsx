/** Form field with its label, hint and error. */
import type { ComponentChildren } from 'preact';

export function Field({
  name,
  label,
  hint,
  fault,
  required = false,
  children,
}: {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly required?: boolean;
  /** Control with the id `field-<name>`, described by `about-<name>`; see `controlOf`. */
  readonly children: ComponentChildren;
}) {
  return (
    <div class={fault === undefined ? 'field' : 'field wrong'}>
      <label for={`field-${name}`}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      <small id={`about-${name}`}>
        {fault !== undefined && (
          <span class="fault" role="alert">
            {fault}{' '}
          </span>
        )}
        {hint}
      </small>
    </div>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onType: (typed: string) => void;
  readonly class?: string;
  readonly inputMode?: 'decimal';
  readonly maxLength?: number | undefined;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
}

/** Text field without browser autofill. */
export function TextField({ name, label, hint, fault, required, value, onType, ...rest }: TextFieldProps) {
  return (
    <Field name={name} label={label} hint={hint} fault={fault} required={required ?? false}>
      <input
        {...controlOf(name, fault)}
        {...rest}
        required={required}
        value={value}
        autocomplete="off"
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </Field>
  );
}

/** Attributes that associate a control with its field. */
export function controlOf(name: string, fault: string | undefined) {
  return {
    id: `field-${name}`,
    name,
    'aria-describedby': `about-${name}`,
    ...(fault !== undefined && { 'aria-invalid': true as const }),
  };
}
