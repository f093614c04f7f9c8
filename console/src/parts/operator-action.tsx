/** Button that opens a form with a description of the action, the reason if one is recorded, and errors. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { fieldsNamedBy, sentenceOf } from '../service.ts';
import { TextField } from './field.tsx';
import { useAction } from './use-action.ts';

interface OperatorActProps {
  readonly name: string;
  /** If false, the form cannot be opened; an open one stays open. */
  readonly isOffered?: boolean;
  readonly does: ComponentChildren;
  readonly button: string;
  /** False if no reason is recorded. */
  readonly takesReason?: boolean;
  /** Fields above the reason, given their errors. */
  readonly fields?: (faults: { readonly [field: string]: string }) => ComponentChildren;
  /** True if the fields are complete. */
  readonly isReady?: boolean;
  readonly act: (reason: string) => Promise<void>;
}

export function OperatorAct(props: OperatorActProps) {
  const { name, isOffered = true, does, button, takesReason = true, fields, isReady = true, act } = props;
  const field = `reason${useId()}`;
  const [isOpen, open] = useState(false);
  const [reason, type] = useState('');
  const [named, point] = useState<{ readonly [field: string]: string }>({});
  const { isBusy, fault, run } = useAction(
    async () => {
      point({});
      await act(reason.trim());
      open(false);
      type('');
    },
    (error) => {
      const found = fieldsNamedBy(error);
      point(found);
      const isShown = found.reason !== undefined || (fields !== undefined && Object.keys(found).length > 0);
      return isShown ? undefined : sentenceOf(error);
    },
  );
  if (!isOpen)
    return isOffered ? (
      <button type="button" class="quiet" onClick={() => open(true)}>
        {name}
      </button>
    ) : null;
  return (
    <form
      class="act"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <p class="meta">{does}</p>
      {fields?.(named)}
      {takesReason && (
        <TextField
          name={field}
          label="Reason (recorded with your name)"
          fault={named.reason}
          value={reason}
          maxLength={500}
          onType={type}
        />
      )}
      <p class="fault" role="alert">
        {fault}
      </p>
      <p class="actions">
        <button type="submit" disabled={isBusy || !isReady || (takesReason && reason.trim() === '')}>
          {isBusy ? 'Working …' : button}
        </button>{' '}
        <button type="button" class="quiet" disabled={isBusy} onClick={() => open(false)}>
          Cancel
        </button>
      </p>
    </form>
  );
}
