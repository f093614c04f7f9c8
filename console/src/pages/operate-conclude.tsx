/** Transaction with an unknown outcome: explorer links, and a form to record the outcome. */
import type { LevyClient, ListDraftsAnswer, ListSubmissionsAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import { purposeText } from '../format/texts.ts';
import { Address, Detail, Words } from '../parts/basics.tsx';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { OperatorAct } from '../parts/operator-action.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { apiAddress } from '../service.ts';

type Listed = ListDraftsAnswer['drafts'][number] | ListSubmissionsAnswer['submissions'][number];
type Outcome = 'landed' | 'not-landed';

export function UnknownOutcome({
  client,
  of,
  onDone,
}: {
  readonly client: LevyClient;
  readonly of: Listed;
  readonly onDone: () => void;
}) {
  const { transactionId, purpose, mintAddress, outcomeUnknown } = of;
  const signature = 'signature' in of ? of.signature : null;
  return (
    <Trouble
      title={`Outcome of a ${purposeText(purpose)}`}
      {...(outcomeUnknown !== null && { since: outcomeUnknown.since })}
    >
      {outcomeUnknown !== null && (
        <p>
          <Words text={outcomeUnknown.message} /> <code>{outcomeUnknown.code}</code>
        </p>
      )}
      <dl class="sums">
        <Detail name="To check">
          {outcomeUnknown !== null && (
            <Address of={outcomeUnknown.address} name="the account whose history was read" on="address" />
          )}
          {[signature, ...(outcomeUnknown?.signatures ?? [])].map(
            (each) =>
              each !== null && (
                <span key={each}>
                  {', '}
                  <Address of={each} name="a signature" on="tx" />
                </span>
              ),
          )}
        </Detail>
        <Detail name="Token">
          <Address of={mintAddress} name="the mint’s address" on="address" />
        </Detail>
      </dl>
      <Conclude client={client} transactionId={transactionId} known={signature ?? ''} onDone={onDone} />
    </Trouble>
  );
}

function Conclude({
  client,
  transactionId,
  known,
  onDone,
}: {
  readonly client: LevyClient;
  readonly transactionId: string;
  /** Accepted signature; empty if none. */
  readonly known: string;
  readonly onDone: () => void;
}) {
  const [outcome, choose] = useState<Outcome>('not-landed');
  const [signature, type] = useState(known);
  const [slot, number] = useState('');
  const hasLanded = outcome === 'landed';
  const named = (field: string) => `${field}-${transactionId}`;
  return (
    <OperatorAct
      name="Record the outcome …"
      does={
        <>
          Check with another node first. The service continues as if the chain had returned this outcome, and
          this cannot be undone.{' '}
          <a href={apiAddress('docs/guides/how-to/operate/record-an-outcome.md')}>
            When an outcome is accepted
          </a>
        </>
      }
      button="Record outcome"
      isReady={!hasLanded || signature.trim() !== ''}
      fields={(faults) => (
        <div class="fields">
          <Field name={named('outcome')} label="Outcome" fault={faults.outcome}>
            <select
              {...controlOf(named('outcome'), faults.outcome)}
              value={outcome}
              onChange={({ currentTarget }) => choose(currentTarget.value as Outcome)}
            >
              <option value="not-landed">Not confirmed</option>
              <option value="landed">Confirmed</option>
            </select>
          </Field>
          {hasLanded && (
            <>
              <TextField
                name={named('signature')}
                label="Signature of the confirmed transaction"
                fault={faults.signature}
                class="mono"
                value={signature}
                onType={type}
              />
              <TextField
                name={named('slot')}
                label="Slot"
                hint="Required if the service’s own node does not show the transaction."
                fault={faults.slot}
                inputMode="decimal"
                value={slot}
                onType={number}
              />
            </>
          )}
        </div>
      )}
      act={async (reason) => {
        await client.post('/operator/submissions/{transactionId}/conclude', {
          params: { path: { transactionId } },
          body: {
            outcome,
            reason,
            ...(hasLanded && { signature: signature.trim() }),
            ...(hasLanded && slot.trim() !== '' && { slot: slot.trim() }),
          },
        });
        onDone();
      }}
    />
  );
}
