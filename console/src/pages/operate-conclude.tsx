/** A transaction whose outcome nothing on the chain tells: where to look it up, and to say what became of it. */
import type { LevyClient, ListDraftsAnswer, ListSubmissionsAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import { purposeText } from '../format/texts.ts';
import { Address, Words } from '../parts/basics.tsx';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { OperatorAct } from '../parts/operator-act.tsx';
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
      title={`What became of a ${purposeText(purpose)}?`}
      {...(outcomeUnknown !== null && { since: outcomeUnknown.since })}
    >
      {outcomeUnknown !== null && (
        <p>
          <Words text={outcomeUnknown.message} /> <code>{outcomeUnknown.code}</code>
        </p>
      )}
      <dl class="sums">
        <div>
          <dt>Look at</dt>
          <dd>
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
          </dd>
        </div>
        <div>
          <dt>Token</dt>
          <dd>
            <Address of={mintAddress} name="the mint’s address" on="address" />
          </dd>
        </div>
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
  /** The signature that was accepted, if there is one. */
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
      name="Say what became of it …"
      does={
        <>
          Look it up with another node first. It cannot be undone: the service goes on as after every other
          outcome. <a href={apiAddress('docs/guides/how-to/operate/conclude-a-submission.md')}>What counts</a>
        </>
      }
      button="Record it"
      isReady={!hasLanded || signature.trim() !== ''}
      fields={(faults) => (
        <div class="fields">
          <Field name={named('outcome')} label="Outcome" fault={faults.outcome}>
            <select
              {...controlOf(named('outcome'), faults.outcome)}
              value={outcome}
              onChange={({ currentTarget }) => choose(currentTarget.value as Outcome)}
            >
              <option value="not-landed">It has not landed</option>
              <option value="landed">It has landed</option>
            </select>
          </Field>
          {hasLanded && (
            <>
              <TextField
                name={named('signature')}
                label="Signature of the transaction that landed"
                fault={faults.signature}
                class="mono"
                value={signature}
                onType={type}
              />
              <TextField
                name={named('slot')}
                label="Slot in which it landed"
                hint="Needed where the service’s own node does not show it."
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
