/**
 * Tokens in the order of their next runs, from the order in which the read model has them. As time passes, a token's next
 * run moves on by its interval without anything being recorded. So the tokens of each interval are kept by where in
 * it their moments are, which stays, and are read round that circle once, from now on. A run is opened up to a fifth of its
 * interval early: the next one of such a token comes behind the round, by when it is due.
 */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import {
  duePlace,
  phaseOf,
  placeOfPhase,
  type TokenFilter,
  timedValue,
} from '../projections/token-orders.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { millisecondsOf } from '../streams/distribution-interval.ts';
import { DISTRIBUTION_INTERVALS } from '../streams/values.ts';
import { nextRunAt } from '../views/distribution-outlook.ts';

type Interval = (typeof DISTRIBUTION_INTERVALS)[number];

/** Behind which token a page begins. */
export interface ShownLast {
  readonly id: string;
  /** Undefined: it has no next run, and such tokens come last. */
  readonly run: { readonly interval: Interval; readonly moment: number } | undefined;
}

export interface Placed {
  readonly token: TokenDocument;
  readonly last: ShownLast;
}

interface Walk {
  readonly readModel: ReadModel;
  readonly filter: TokenFilter;
  /** Milliseconds. */
  readonly now: number;
  readonly limit: number;
}

/** Where the tokens of one interval go on: behind all of that moment, or behind one of them. */
interface Behind {
  readonly moment: number;
  readonly key?: string;
}

interface Next {
  readonly token: TokenDocument;
  readonly moment: number;
}

/** At most `limit` tokens. Those of equal moments come in the order of their intervals, and then as they were created. */
export async function tokensByNextRun(walk: Walk, last: ShownLast | undefined): Promise<readonly Placed[]> {
  if (last !== undefined && last.run === undefined) return withoutRun(walk, walk.limit, last.id);
  const intervals = DISTRIBUTION_INTERVALS.map((interval, index) => ({
    interval,
    tokens: ofInterval(walk, interval, behindIn(walk, index, last)),
  }));
  const heads = await Promise.all(intervals.map(({ tokens: found }) => found.next()));
  const placed: Placed[] = [];
  while (placed.length < walk.limit) {
    let first: { readonly index: number; readonly next: Next } | undefined;
    for (const [index, { done, value }] of heads.entries())
      if (done !== true && (first === undefined || value.moment < first.next.moment))
        first = { index, next: value };
    const taken = first && intervals[first.index];
    if (first === undefined || taken === undefined) break;
    const { token, moment } = first.next;
    placed.push({ token, last: { id: token.id, run: { interval: taken.interval, moment } } });
    heads[first.index] = await taken.tokens.next();
  }
  return [...placed, ...(await withoutRun(walk, walk.limit - placed.length))];
}

function behindIn({ now }: Walk, index: number, last: ShownLast | undefined): Behind {
  // What was shown last may have had its run meanwhile.
  if (last?.run === undefined || last.run.moment <= now) return { moment: now };
  const { interval, moment } = last.run;
  const lastIndex = DISTRIBUTION_INTERVALS.indexOf(interval);
  if (index === lastIndex) return { moment, key: last.id };
  return { moment: index < lastIndex ? moment : moment - 1 };
}

async function* ofInterval(walk: Walk, interval: Interval, behind: Behind): AsyncGenerator<Next, undefined> {
  const { filter, now } = walk;
  const length = millisecondsOf(interval);
  const begun = now - (now % length);
  const roundEnd = now + length;
  const value = timedValue(filter, interval);
  for (const [start, end] of [
    [begun, begun + length - 1],
    [begun + length, roundEnd],
  ] as const) {
    if (behind.moment > end) continue;
    const after =
      behind.moment < start ? undefined : { ...behind, place: placeOfPhase(behind.moment - start) };
    for await (const token of all(walk, 'phase', value, after)) {
      const moment = start + phaseOf(token);
      if (moment > end) break;
      if (nextRunOf(token, now) === moment) yield { token, moment };
    }
  }
  const late = behind.moment > roundEnd ? behind : { moment: roundEnd };
  const after = { ...late, place: new Date(late.moment).toISOString() };
  for await (const token of all(walk, 'due', value, after))
    yield { token, moment: Date.parse(duePlace(token)) };
  return undefined;
}

function nextRunOf({ createdAt, distributionInterval, distribution }: TokenDocument, now: number): number {
  const { lastDueAt } = distribution;
  const grid = { createdAt, interval: distributionInterval, lastDueAt };
  const moment = nextRunAt({ ...grid, enabled: true, hidden: false, halted: null }, undefined, new Date(now));
  return moment === null ? Number.NaN : Date.parse(moment);
}

/** A little at first: most of what a page shows is of few intervals. */
async function* all(
  { readModel, limit }: Walk,
  order: 'phase' | 'due',
  value: string,
  behind: { readonly place: string; readonly key?: string } | undefined,
): AsyncGenerator<TokenDocument, void> {
  let after = behind;
  for (let asked = Math.ceil(limit / 4); ; asked = limit) {
    const found = await readModel.ordered(tokens, order, value, {
      limit: asked,
      ...(after === undefined ? {} : { after }),
    });
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < asked) return;
    const place = order === 'phase' ? placeOfPhase(phaseOf(last)) : duePlace(last);
    after = { place, key: last.id };
  }
}

/** Newest first. */
async function withoutRun(
  { readModel, filter }: Walk,
  limit: number,
  key?: string,
): Promise<readonly Placed[]> {
  const found = await readModel.ordered(tokens, 'phase', timedValue(filter, 'off'), {
    limit,
    descending: true,
    ...(key === undefined ? {} : { after: { place: '', key } }),
  });
  return found.map((token) => ({ token, last: { id: token.id, run: undefined } }));
}
