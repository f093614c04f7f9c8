/** What was changed in a token's settings, and by whom, the newest first. */
import type { GetTokenAnswer, LevyClient, ListSettingsChangesAnswer } from 'levy-client';
import { linesOf, type Settings as Values } from '../format/settings-form.ts';
import { Address, Time } from '../parts/basics.tsx';
import { LaterPages } from '../parts/later-pages.tsx';
import { Lines } from '../parts/lines.tsx';
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
          <Lines columns={['When', 'By', 'What']}>
            {changes.map(({ position, changedAt, changedBy, from, to }) => (
              <tr key={position}>
                <td data-name="When">
                  <Time at={changedAt} />
                </td>
                <td data-name="By">
                  <Address of={changedBy} name="the address of who changed it" />
                </td>
                <td data-name="What">
                  {from === null ? (
                    'Created with the token.'
                  ) : (
                    <Differences from={from} to={to} decimals={decimals} />
                  )}
                </td>
              </tr>
            ))}
          </Lines>
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
  if (lines.length === 0) return <p class="meta">Only what this page does not show.</p>;
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
