/** Page that checks a proof file in the browser, without requests to the service. */
import { useState } from 'preact/hooks';
import { PageHead } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { ProofSteps } from '../parts/proof-steps.tsx';
import { type Checked, checkProof, TrustInvalid } from '../proof.ts';

interface Read {
  readonly name: string;
  readonly file: unknown;
}

/** Maximum file size in bytes; every proof is smaller, so a larger file was dropped by mistake. */
const LARGEST = 5_000_000;

export function Verify() {
  usePageTitle('Verify');
  const [read, keep] = useState<Read>();
  const [fault, tell] = useState<string>();
  const [trusted, trust] = useState('');

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    keep(undefined);
    if (file.size > LARGEST) return tell(`${file.name} is too large to be a proof.`);
    try {
      keep({ name: file.name, file: JSON.parse(await file.text()) });
      tell(undefined);
    } catch {
      tell(`${file.name} is not JSON, so it is not a proof.`);
    }
  };
  const outcome = read === undefined ? undefined : outcomeOf(read.file, trusted);

  return (
    <>
      <PageHead
        title="Verify a proof"
        about="Checks a proof of a payment or event in this browser. Nothing is sent to any server."
      />
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
            Drop a proof file here or choose one
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
          <h2 id="trusted">Trusted keys</h2>
          <label>
            Verifier key of the log, or a policy with its witnesses
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
          <p class="meta">If empty, the key inside the file is trusted, so a forged log would pass.</p>
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

/** Signature of the paying transaction; undefined if the file is no payment proof. */
function signatureIn(file: unknown): string | null | undefined {
  const payment = Object(file).payment;
  const signature: unknown = Object(payment).signature;
  return signature === null || typeof signature === 'string' ? signature : undefined;
}
