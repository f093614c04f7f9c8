/** Filter of the log page as URL parameters, and short forms of its texts. */
import { clockTime } from './times.ts';

export interface LogFilter {
  readonly stream: string;
  readonly category: string;
  readonly type: string;
  /** Event types, separated by commas. */
  readonly hide: string;
  readonly correlationId: string;
  /** Durations before now, or timestamps. */
  readonly since: string;
  readonly until: string;
  /** Sort order; newest first by default. */
  readonly order: '' | 'oldest';
}

export const NO_FILTER: LogFilter = {
  stream: '',
  category: '',
  type: '',
  hide: '',
  correlationId: '',
  since: '',
  until: '',
  order: '',
};

/** Identifies an event by its stream and revision. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

type Query = { readonly [name: string]: string | undefined };

export function filterIn(query: Query): LogFilter {
  const given = Object.keys(NO_FILTER).map((name) => [name, query[name] ?? '']);
  return { ...NO_FILTER, ...Object.fromEntries(given), order: query.order === 'oldest' ? 'oldest' : '' };
}

/** Event that the URL opens, if any. */
export function openedIn({ event = '' }: Query): EventPlace | undefined {
  const [, stream = '', revision = ''] = /^(.+)@(\d{1,15})$/.exec(event) ?? [];
  return stream === '' ? undefined : { stream, revision: Number(revision) };
}

/** Path relative to `/console/`. */
export function logAddress(filter: Partial<LogFilter>, opened?: EventPlace): string {
  const event = opened === undefined ? '' : `${opened.stream}@${opened.revision}`;
  const given = Object.entries({ ...filter, event }).filter(([, value]) => value !== '');
  return given.length === 0 ? 'operate/log' : `operate/log?${new URLSearchParams(given)}`;
}

/** Query for the API, without empty or blank fields. */
export function askedOf(filter: LogFilter): {
  readonly [Name in keyof LogFilter]?: Exclude<LogFilter[Name], ''>;
} {
  const given = Object.entries({ ...filter, hide: filter.hide.replaceAll(/\s/g, '') }).map(
    ([name, value]) => [name, value.trim()],
  );
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Shortens the ID and leaves the category: `token-3f2b…6f01`. */
export function cutStream(stream: string): string {
  const [, category = '', id = ''] = /^([^-]*-)(.*)$/s.exec(stream) ?? [];
  return id.length <= 12 ? stream : `${category}${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** Date and time in the local time zone: `26 Nov 14:03:07`. */
export const logTime = (moment: string): string => `${DAY.format(new Date(moment))} ${clockTime(moment)}`;

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
