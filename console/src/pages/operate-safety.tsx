/** Transparency log, witnesses and backups. */
import { type GetReadinessAnswer, LevyError } from 'levy-client';
import { type ReadCheckpoint, readCheckpoint } from '../checkpoint.ts';
import { grouped } from '../format/amounts.ts';
import { Address, Detail, PageHead, State, Time } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Loaded } from '../parts/states.tsx';
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
      <PageHead title="Proof and backup" about="The transparency log, its witnesses, and backups." />
      <Loaded what="the checkpoint" answer={answer}>
        {([checkpoint, { checks }]) => {
          const notary = checks.find(({ name }) => name === 'notary');
          return (
            <div class="stack">
              <Log checkpoint={checkpoint} notary={notary} />
              <Witnesses checkpoint={checkpoint} notary={notary} />
            </div>
          );
        }}
      </Loaded>
      <Backup />
    </>
  );
}

interface Published extends ReadCheckpoint {
  readonly key: string;
}

/** Latest checkpoint; undefined before the first one is published. */
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
          What it proves
        </a>
      </h2>
      <NotaryState notary={notary} />
      {checkpoint === undefined ? (
        <Empty title="No checkpoint yet" />
      ) : (
        <dl class="sums">
          <Detail name="Checkpoint">
            {grouped(checkpoint.size)} {checkpoint.size === 1 ? 'entry' : 'entries'}{' '}
            {checkpoint.isSigned ? (
              <State kind="ok">signature checked in this browser</State>
            ) : (
              <State kind="bad">signature invalid</State>
            )}
          </Detail>
          <Detail name="Root">
            <Address of={checkpoint.root} name="the root" />
          </Detail>
          <Detail name="Name">{checkpoint.origin}</Detail>
          <Detail name="Verifier key">
            <Address of={checkpoint.key} name="the verifier key" />
            <small>
              Publish it somewhere the service cannot change, so that others can check against it.
            </small>
          </Detail>
        </dl>
      )}
    </section>
  );
}

/** State of the notary. Only the process with that role reports it. */
function NotaryState({ notary }: { readonly notary: Check | undefined }) {
  if (notary === undefined)
    return (
      <p class="meta">
        This process does not run the notary. Read <code>/ready</code> of the process with the role{' '}
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
            {state === 'signing' ? 'signing' : 'comparing the log with the signed checkpoint'}
          </State>
        ) : (
          <State kind="bad">{String(state)}</State>
        )}{' '}
        {behind > 0 && <small>{grouped(behind)} entries not yet published</small>}
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
        <Empty title="No witnesses">
          <p>
            A witness makes it impossible to show different logs to different people.{' '}
            <a href={apiAddress('docs/guides/how-to/operate/run-the-notary.md')}>Configure witnesses</a>
          </p>
        </Empty>
      ) : (
        <dl class="sums">
          {cosigned.map(({ name, at }) => (
            <Detail key={name} name="Signed">
              {name} {at !== undefined && <Time at={at} />}
            </Detail>
          ))}
          {silent !== '' && <Detail name="Silent">{silent}</Detail>}
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
          How to restore
        </a>
      </h2>
      <p class="meta">
        Copies the log, ledgers and images of the running service to the machine where the command runs, and
        verifies them. The service keeps no list of backups.
      </p>
      <pre class="command">{command}</pre>
      <p class="meta">
        Keys are not included. Store the master seed separately: without it the collected tax is lost.
      </p>
    </section>
  );
}
