/** A field of a form, with what is wrong with it beside it. */
import type { ComponentChildren } from 'preact';

export function Field({
  name,
  label,
  hint,
  fault,
  children,
}: {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly fault?: string | undefined;
  /** The control; it has the id `field-<name>`, and is described by `about-<name>`. */
  readonly children: ComponentChildren;
}) {
  return (
    <div class={fault === undefined ? 'field' : 'field wrong'}>
      <label for={`field-${name}`}>{label}</label>
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

/** What a control of a field needs. */
export function controlOf(name: string, fault: string | undefined) {
  return {
    id: `field-${name}`,
    name,
    'aria-describedby': `about-${name}`,
    ...(fault !== undefined && { 'aria-invalid': true as const }),
  };
}
