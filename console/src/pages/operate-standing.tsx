/** What an operator looks at when nothing fails: who does what, whether there is SOL to pay with, how much waits, and how far the read models are. */
import type { GetOverviewAnswer, ListProjectionsAnswer } from 'levy-client';
import { exactAmount, grouped, SOL_DECIMALS } from '../format/amounts.ts';
import { clockTime } from '../format/times.ts';
import { Address, Exact, PageLink, State, Time } from '../parts/basics.tsx';
import { Line } from '../parts/signed-action.tsx';

type Role = GetOverviewAnswer['roles'][number];
type Payer = GetOverviewAnswer['payers'][number];

export function Standing({
  overview: { roles, payers, waiting },
  projections: { projections },
}: {
  readonly overview: GetOverviewAnswer;
  readonly projections: ListProjectionsAnswer;
}) {
  const building = projections.filter(({ state }) => state === 'building');
  const failed = projections.filter(({ state }) => state === 'failed');
  const behind = projections.filter(({ state, lag }) => state === 'live' && lag.count > 0);
  return (
    <div class="standing">
      <section class="card" aria-labelledby="roles">
        <h2 id="roles">Who does what</h2>
        <dl class="sums">
          {roles.map((each) => (
            <Line key={each.role} name={each.role}>
              <Holder of={each} />
            </Line>
          ))}
        </dl>
      </section>
      <section class="card" aria-labelledby="payers">
        <h2 id="payers">What pays</h2>
        <dl class="sums">
          {payers.map((each) => (
            <Line key={each.name} name={each.name}>
              <Balance of={each} />
            </Line>
          ))}
        </dl>
      </section>
      <section class="card" aria-labelledby="waiting">
        <h2 id="waiting">
          Under way{' '}
          <span class="sub">
            <PageLink to="operate/drafts">all of it</PageLink>
          </span>
        </h2>
        <dl class="sums">
          <Line name="to be signed">{grouped(waiting.open)}</Line>
          <Line name="to land">
            {grouped(waiting.submitted)}
            {waiting.oldestAcceptedAt !== null && (
              <small>
                the oldest that is not final: <Time at={waiting.oldestAcceptedAt} />
              </small>
            )}
          </Line>
          <Line name="to be final">{grouped(waiting.confirmed)}</Line>
          {waiting.unknown > 0 && (
            <Line name="unknown">
              <State kind="bad">{grouped(waiting.unknown)} for you to conclude</State>
            </Line>
          )}
          <Line name="read models">
            {failed.length > 0 && <State kind="bad">{failed.length} stopped</State>}{' '}
            {building.length > 0 && <State kind="run">{building.length} being built</State>}{' '}
            {behind.length > 0 && <State kind="run">{behind.length} behind</State>}{' '}
            {failed.length + building.length + behind.length === 0 && (
              <State kind="ok">all {projections.length} up to date</State>
            )}
          </Line>
        </dl>
      </section>
    </div>
  );
}

/** Every service needs these two; of the others nobody may be needed. */
const NEEDED: readonly string[] = ['settler', 'distributor'];

function Holder({ of: { role, state, holder, until } }: { readonly of: Role }) {
  if (state === 'free') return <State kind={NEEDED.includes(role) ? 'bad' : 'off'}>no process</State>;
  return (
    <>
      <State kind={state === 'lapsed' ? 'bad' : 'ok'}>{holder}</State>
      <small>
        {until === null ? (
          'under no lease: the log is its own'
        ) : state === 'lapsed' ? (
          <>
            its lease ended <Time at={until} />, and nobody has taken it over
          </>
        ) : (
          `lease until ${clockTime(until)}, unless renewed before`
        )}
      </small>
    </>
  );
}

const WITHOUT: { readonly [name in Payer['name']]: string } = {
  'fee payer': 'no drafts are issued',
  distributor: 'no runs are opened',
};

function Balance({ of: { name, address, lamports, floor, isEnough } }: { readonly of: Payer }) {
  const least = `${exactAmount(floor, SOL_DECIMALS)} SOL`;
  return (
    <>
      {lamports === null || isEnough === null ? (
        <State kind="bad">the chain does not tell</State>
      ) : (
        <State kind={isEnough ? 'ok' : 'bad'}>
          <Exact units={lamports} decimals={SOL_DECIMALS} unit="SOL" />, {isEnough ? 'enough' : 'too little'}
        </State>
      )}
      <small>
        {isEnough === false ? `${WITHOUT[name]} below ${least}; send more to ` : `at least ${least}, at `}
        <Address of={address} name={`the ${name}’s address`} on="address" />
      </small>
    </>
  );
}
