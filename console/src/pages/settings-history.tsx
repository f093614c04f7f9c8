/** Changes of a token's settings with their authors, newest first. */
import type { GetTokenAnswer, LevyClient, ListSettingsChangesAnswer } from 'levy-client';
import { linesOf, type Settings as Values } from '../format/settings-form.ts';
import { Address, Time } from '../parts/basics.tsx';
import { LaterPages } from '../parts/cursor-pages.tsx';
import { Table } from '../parts/table.tsx';
import { signedIn } from '../wallet.ts';

export function History({
  client,
  token: { id, decimals },
  first,
}: {
  readonly client: LevyClient;
  readonly token: GetTokenAnswer['token'];
  readonly first: ListSettingsChangesAnswer;
}) {
  return (
    <section class="card">
      <h2>History</h2>
      <LaterPages
        of={`history ${id}`}
        what="the history"
        first={first}
        ask={(after) =>
          signedIn(
            client.get('/distribution/{tokenId}/settings/history', {
              params: { path: { tokenId: id }, query: { after } },
            }),
          )
        }
      >
        {({ changes }) => (
          <Table
            rows={changes}
            keyOf={({ position }) => position}
            columns={[
              { name: 'Time', cell: ({ changedAt }) => <Time at={changedAt} /> },
              {
                name: 'By',
                cell: ({ changedBy }) => <Address of={changedBy} name="the address of who changed it" />,
              },
              {
                name: 'Change',
                cell: ({ before, after }) =>
                  before === null ? (
                    'Created with the token.'
                  ) : (
                    <Differences from={before} to={after} decimals={decimals} />
                  ),
              },
            ]}
          />
        )}
      </LaterPages>
    </section>
  );
}

export function Differences({
  from,
  to,
  decimals,
}: {
  readonly from: Partial<Values>;
  readonly to: Partial<Values>;
  readonly decimals: number;
}) {
  const before = new Map(linesOf(from, decimals).map(({ name, text }) => [name, text]));
  const lines = linesOf(to, decimals);
  if (lines.length === 0) return <p class="meta">Only fields that are not shown here have changed.</p>;
  return (
    <ul class="differences">
      {lines.map(({ name, label, text }) => (
        <li key={name}>
          {label}: <del>{before.get(name)}</del> <ins>{text}</ins>
        </li>
      ))}
    </ul>
  );
}
