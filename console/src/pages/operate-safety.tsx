/** What is left when something is lost or denied: the transparency log with its witnesses, and backups. */
import { type GetReadinessAnswer, LevyError } from 'levy-client';
import { type ReadCheckpoint, readCheckpoint } from '../checkpoint.ts';
import { grouped } from '../format/amounts.ts';
import { Address, State, Time } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { API_ADDRESS, apiAddress, levy, readiness, useAnswer } from '../service.ts';

const REFRESHED = 5_000;

type Check = GetReadinessAnswer['checks'][number];

export function Safety() {
  usePageTitle('Proof and backup');
  const answer = useAnswer('safety', () => Promise.all([publishedCheckpoint(), readiness()]), {
    every: REFRESHED,
  });
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>Proof and backup</h1>
          <p class="meta">What others check the service by, and what it is restored from.</p>
        </div>
      </section>
      <Shown what="the checkpoint" answer={answer}>
        {([checkpoint, { checks }]) => {
          const notary = checks.find(({ name }) => name === 'notary');
          return (
            <div class="stack">
              <Log checkpoint={checkpoint} notary={notary} />
              <Witnesses checkpoint={checkpoint} notary={notary} />
            </div>
          );
        }}
      </Shown>
      <Backup />
    </>
  );
}

interface Published extends ReadCheckpoint {
  readonly key: string;
}

/** Undefined while there is none. */
async function publishedCheckpoint(): Promise<Published | undefined> {
  try {
    const [text, key] = await Promise.all([
      levy.get('/log/checkpoint', { parseAs: 'text' }),
      levy.get('/log/key', { parseAs: 'text' }),
    ]);
    return { ...readCheckpoint(text, key), key: key.trim() };
  } catch (error) {
    if (error instanceof LevyError && error.code === 'FILE_NOT_FOUND') return undefined;
    throw error;
  }
}

function Log({
  checkpoint,
  notary,
}: {
  readonly checkpoint: Published | undefined;
  readonly notary: Check | undefined;
}) {
  return (
    <section class="card" aria-labelledby="log">
      <h2 id="log">
        Transparency log{' '}
        <a class="sub" href={apiAddress('docs/guides/explanation/transparency-log.md')}>
          what it proves
        </a>
      </h2>
      <NotaryState notary={notary} />
      {checkpoint === undefined ? (
        <Empty title="There is no checkpoint yet." />
      ) : (
        <dl class="sums">
          <div>
            <dt>Checkpoint</dt>
            <dd>
              {grouped(checkpoint.size)} {checkpoint.size === 1 ? 'entry' : 'entries'}{' '}
              {checkpoint.isSigned ? (
                <State kind="ok">signed by the log’s key, as this browser has checked</State>
              ) : (
                <State kind="bad">the log’s key has not signed it</State>
              )}
            </dd>
          </div>
          <div>
            <dt>Root</dt>
            <dd>
              <Address of={checkpoint.root} name="the root" />
            </dd>
          </div>
          <div>
            <dt>Name</dt>
            <dd>{checkpoint.origin}</dd>
          </div>
          <div>
            <dt>Verifier key</dt>
            <dd>
              <Address of={checkpoint.key} name="the verifier key" />
              <small>Publish it where the service cannot change it: it is what others check against.</small>
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}

/** Only the process that keeps the log knows how it gets on. */
function NotaryState({ notary }: { readonly notary: Check | undefined }) {
  if (notary === undefined)
    return (
      <p class="meta">
        Another process keeps the log, or none does: ask the <code>/ready</code> of the one with the role{' '}
        <code>notary</code>.
      </p>
    );
  const { ok, state, entries, published, error } = notary;
  const behind = Number(entries ?? 0) - Number(published ?? 0);
  return (
    <>
      <p>
        {ok ? (
          <State kind={state === 'signing' ? 'ok' : 'run'}>
            {state === 'signing' ? 'signing' : 'comparing the log with what was signed'}
          </State>
        ) : (
          <State kind="bad">{String(state)}</State>
        )}{' '}
        {behind > 0 && <small>{grouped(behind)} entries are not published yet</small>}
      </p>
      {typeof error === 'string' && (
        <p class="fault">
          {error} <a href={apiAddress('docs/guides/how-to/operate/run-the-notary.md')}>What to do</a>
        </p>
      )}
    </>
  );
}

function Witnesses({
  checkpoint,
  notary,
}: {
  readonly checkpoint: Published | undefined;
  readonly notary: Check | undefined;
}) {
  const cosigned = checkpoint?.cosigned ?? [];
  const silent = typeof notary?.silentWitnesses === 'string' ? notary.silentWitnesses : '';
  const disagreeing = notary?.disagreeingWitnesses;
  return (
    <section class="card" aria-labelledby="witnesses">
      <h2 id="witnesses">Witnesses</h2>
      {cosigned.length === 0 && silent === '' && disagreeing === undefined ? (
        <Empty title="No witness signs the checkpoints.">
          <p>
            With one, nobody can be shown another log.{' '}
            <a href={apiAddress('docs/guides/how-to/operate/run-the-notary.md')}>Name some</a>
          </p>
        </Empty>
      ) : (
        <dl class="sums">
          {cosigned.map(({ name, at }) => (
            <div key={name}>
              <dt>Signed</dt>
              <dd>
                {name} {at !== undefined && <Time at={at} />}
              </dd>
            </div>
          ))}
          {silent !== '' && (
            <div>
              <dt>Silent</dt>
              <dd>{silent}</dd>
            </div>
          )}
          {disagreeing !== undefined && (
            <div>
              <dt>Disagree</dt>
              <dd class="fault">{String(disagreeing)}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

function Backup() {
  const command = `npx levy backup /backup/$(date +%F) --service ${API_ADDRESS} --operator-key-file ~/operator.key`;
  return (
    <section class="card" aria-labelledby="backup">
      <h2 id="backup">
        Backup{' '}
        <a class="sub" href={apiAddress('docs/guides/how-to/operate/back-up-and-restore.md')}>
          how to restore one
        </a>
      </h2>
      <p class="meta">
        The log, the ledgers and the images, taken while the service works. The command writes and checks them
        where it is run: the service keeps no backup, and does not know of those that were taken.
      </p>
      <pre class="command">{command}</pre>
      <p class="meta">
        The keys are never in it. Keep the master seed in another place: without it the collected tax is lost.
      </p>
    </section>
  );
}
