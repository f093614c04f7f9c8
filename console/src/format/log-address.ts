/** Filter of the log page in its address, and shortened forms of its texts. */
import { clockTime } from './times.ts';

export interface LogFilter {
  readonly stream: string;
  readonly category: string;
  readonly type: string;
  /** Types, separated by commas. */
  readonly hide: string;
  readonly correlationId: string;
  /** Ages, or points in time. */
  readonly since: string;
  readonly until: string;
  /** Order; newest first by default. */
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

/** An event by its stream and its revision there. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

type Query = { readonly [name: string]: string | undefined };

export function filterIn(query: Query): LogFilter {
  const given = Object.keys(NO_FILTER).map((name) => [name, query[name] ?? '']);
  return { ...NO_FILTER, ...Object.fromEntries(given), order: query.order === 'oldest' ? 'oldest' : '' };
}

/** The event that the address opens; undefined where it opens none. */
export function openedIn({ event = '' }: Query): EventPlace | undefined {
  const [, stream = '', revision = ''] = /^(.+)@(\d{1,15})$/.exec(event) ?? [];
  return stream === '' ? undefined : { stream, revision: Number(revision) };
}

/** Below `/console/`. */
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

/** The category whole, and of the id its beginning and end: `token-3f2b…6f01`. */
export function cutStream(stream: string): string {
  const [, category = '', id = ''] = /^([^-]*-)(.*)$/s.exec(stream) ?? [];
  return id.length <= 12 ? stream : `${category}${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** `26 Nov 14:03:07`, in the reader's zone. */
export const logTime = (moment: string): string => `${DAY.format(new Date(moment))} ${clockTime(moment)}`;

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
