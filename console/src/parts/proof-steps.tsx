/** Verdict on a proof, and its steps with the compared values. */
import type { Checked } from '../proof.ts';

/** `signature`: signature of the payment; null if nothing was paid, undefined for the proof of an event. */
export function ProofSteps({
  checked: { steps, fault, believedKey },
  signature,
}: {
  readonly checked: Checked;
  readonly signature: string | null | undefined;
}) {
  return (
    <div role="status">
      {fault === undefined ? (
        <p class="verdict holds">
          The proof holds.
          <small>
            Checked in this browser using only this file.
            {believedKey !== undefined &&
              ' The log’s key comes from the file itself: compare it with one you trust.'}
          </small>
        </p>
      ) : (
        <p class="verdict fails">
          The proof does not hold.
          <small>{fault}</small>
        </p>
      )}
      <details open={fault !== undefined}>
        <summary>What was checked</summary>
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
              <span class="heard">Missing from the proof: </span>
              {signature === null ? 'Nothing was paid' : 'Paid on the chain'}
              <small>
                {signature === null
                  ? 'No transaction to look up.'
                  : `The proof does not contain the payment. Look up transaction ${signature} on any Solana node.`}
              </small>
            </li>
          )}
        </ol>
      </details>
    </div>
  );
}

const STATE_WORDS = { holds: 'Passed:', fails: 'Failed:', next: 'Not checked:' };
