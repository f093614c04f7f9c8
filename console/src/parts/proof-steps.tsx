/** What became of each step of a proof, what was compared, and the verdict. */
import type { Checked } from '../proof.ts';

/** `signature`: of the transaction that paid; null where nothing was paid, undefined for the proof of an event. */
export function ProofSteps({
  checked: { steps, fault, believedKey },
  signature,
}: {
  readonly checked: Checked;
  readonly signature: string | null | undefined;
}) {
  return (
    <div role="status">
      <ol class="proof">
        {steps.map(({ name, title, state, detail }) => (
          <li key={name} class={state}>
            <span class="heard">{STATE_WORDS[state]} </span>
            {title}
            {detail !== undefined && <small>{detail}</small>}
          </li>
        ))}
        {fault === undefined && signature !== undefined && (
          <li>
            <span class="heard">Not in the proof: </span>
            {signature === null ? 'Nothing was paid' : 'Paid on the chain'}
            <small>
              {signature === null
                ? 'There is no transaction to look up.'
                : `Not part of the proof: any node of Solana shows transaction ${signature}.`}
            </small>
          </li>
        )}
      </ol>
      {fault === undefined ? (
        <p class="verdict holds">
          The proof holds.
          <small>
            Checked in this browser, with nothing of the service but this file.
            {believedKey !== undefined &&
              ' The log’s key is believed as the file names it: compare it with one that you know.'}
          </small>
        </p>
      ) : (
        <p class="verdict fails">
          The proof does not hold.
          <small>{fault}</small>
        </p>
      )}
    </div>
  );
}

const STATE_WORDS = { holds: 'Holds:', fails: 'Does not hold:', next: 'Not checked:' };
