/** Checks a proof file that the reader has: nothing leaves the browser, and the page needs no service for it. */
import { useState } from 'preact/hooks';
import { usePageTitle } from '../parts/page-title.ts';
import { ProofSteps } from '../parts/proof-steps.tsx';
import { type Checked, checkProof, TrustInvalid } from '../proof.ts';

interface Read {
  readonly name: string;
  readonly file: unknown;
}

/** Larger than any proof: a file that was dropped by mistake is not read. */
const LARGEST = 5_000_000;

export function Verify() {
  usePageTitle('Verify');
  const [read, keep] = useState<Read>();
  const [fault, tell] = useState<string>();
  const [trusted, trust] = useState('');

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    keep(undefined);
    if (file.size > LARGEST) return tell(`${file.name} is too large for a proof.`);
    try {
      keep({ name: file.name, file: JSON.parse(await file.text()) });
      tell(undefined);
    } catch {
      tell(`${file.name} is no JSON, so it is no proof.`);
    }
  };
  const outcome = read === undefined ? undefined : outcomeOf(read.file, trusted);

  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>Verify a proof</h1>
          <p class="meta">
            A proof of a payment or of an event, checked in this browser: nothing is sent anywhere, and no
            service is asked.
          </p>
        </div>
      </section>
      <div class="two">
        <section class="card" aria-labelledby="proof">
          <h2 id="proof">The proof</h2>
          <label
            class="drop"
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              void take(event.dataTransfer?.files[0]);
            }}
          >
            Drop a proof file here, or choose one
            <input
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
            />
          </label>
          {fault !== undefined && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
          {read !== undefined && outcome?.checked !== undefined && (
            <>
              <h3 class="mono">{read.name}</h3>
              <ProofSteps checked={outcome.checked} signature={signatureIn(read.file)} />
            </>
          )}
        </section>
        <section class="card" aria-labelledby="trusted">
          <h2 id="trusted">Whom you believe</h2>
          <label>
            The log’s verifier key, or a policy with its witnesses
            <textarea
              class="mono"
              rows={4}
              value={trusted}
              spellcheck={false}
              placeholder="levy.example/log+530d903a+AekyeRrm…"
              onInput={({ currentTarget }) => trust(currentTarget.value)}
            />
          </label>
          {outcome?.distrusted !== undefined && (
            <p class="fault" role="alert">
              {outcome.distrusted}
            </p>
          )}
          <p class="meta">
            Without it, the key is believed that the file names itself: then a whole log of somebody else’s
            invention would hold, too.
          </p>
        </section>
      </div>
    </>
  );
}

function outcomeOf(
  file: unknown,
  trusted: string,
): { readonly checked?: Checked; readonly distrusted?: string } {
  try {
    return { checked: checkProof(file, trusted) };
  } catch (error) {
    if (!(error instanceof TrustInvalid)) throw error;
    return { distrusted: error.message };
  }
}

/** Undefined where it is no proof of a payment. */
function signatureIn(file: unknown): string | null | undefined {
  const payment = Object(file).payment;
  const signature: unknown = Object(payment).signature;
  return signature === null || typeof signature === 'string' ? signature : undefined;
}
