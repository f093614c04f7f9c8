/** Overview for operators: roles, balances of the paying accounts, pending work and read models. */
import type { GetOverviewAnswer, ListProjectionsAnswer } from 'levy-client';
import { exactAmount, grouped, SOL_DECIMALS } from '../format/amounts.ts';
import { clockTime } from '../format/times.ts';
import { Address, Detail, Exact, PageLink, State, Time } from '../parts/basics.tsx';

type Role = GetOverviewAnswer['roles'][number];
type Payer = GetOverviewAnswer['payers'][number];

export function Status({
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
        <h2 id="roles">Roles</h2>
        <dl class="sums">
          {roles.map((each) => (
            <Detail key={each.role} name={each.role}>
              <Holder of={each} />
            </Detail>
          ))}
        </dl>
      </section>
      <section class="card" aria-labelledby="payers">
        <h2 id="payers">Service accounts</h2>
        <dl class="sums">
          {payers.map((each) => (
            <Detail key={each.name} name={each.name}>
              <Balance of={each} />
            </Detail>
          ))}
        </dl>
      </section>
      <section class="card" aria-labelledby="waiting">
        <h2 id="waiting">
          In progress{' '}
          <span class="sub">
            <PageLink to="operate/drafts">View all</PageLink>
          </span>
        </h2>
        <dl class="sums">
          <Detail name="unsigned">{grouped(waiting.awaitingSignature)}</Detail>
          <Detail name="submitted">
            {grouped(waiting.submitted)}
            {waiting.oldestAcceptedAt !== null && (
              <small>
                oldest not final: <Time at={waiting.oldestAcceptedAt} />
              </small>
            )}
          </Detail>
          <Detail name="confirmed">{grouped(waiting.confirmed)}</Detail>
          {waiting.unknown > 0 && (
            <Detail name="unknown">
              <State kind="bad">{grouped(waiting.unknown)} with unknown outcome</State>
            </Detail>
          )}
          <Detail name="read models">
            {failed.length > 0 && <State kind="bad">{failed.length} stopped</State>}{' '}
            {building.length > 0 && <State kind="run">{building.length} being built</State>}{' '}
            {behind.length > 0 && <State kind="run">{behind.length} behind</State>}{' '}
            {failed.length + building.length + behind.length === 0 && (
              <State kind="ok">all {projections.length} up to date</State>
            )}
          </Detail>
        </dl>
      </section>
    </div>
  );
}

/** Roles that every service needs; other roles are optional. */
const NEEDED: readonly string[] = ['settler', 'distributor'];

function Holder({ of: { role, state, holder, until } }: { readonly of: Role }) {
  if (state === 'free') return <State kind={NEEDED.includes(role) ? 'bad' : 'off'}>no process</State>;
  return (
    <>
      <State kind={state === 'lapsed' ? 'bad' : 'ok'}>{holder}</State>
      <small>
        {until === null ? (
          'single process'
        ) : state === 'lapsed' ? (
          <>
            lease expired <Time at={until} />, not taken over
          </>
        ) : (
          `lease until ${clockTime(until)}, unless renewed`
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
        <State kind="bad">balance unavailable</State>
      ) : (
        <State kind={isEnough ? 'ok' : 'bad'}>
          <Exact units={lamports} decimals={SOL_DECIMALS} unit="SOL" />, {isEnough ? 'enough' : 'too low'}
        </State>
      )}
      <small>
        {isEnough === false ? `${WITHOUT[name]} below ${least}; send more to ` : `at least ${least}, at `}
        <Address of={address} name={`the ${name}’s address`} on="address" />
      </small>
    </>
  );
}
