/** Times and durations as text. */

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Relative time: `12 min ago`, `in 3 days`, `now`. */
export function relativeTime(moment: string, now: number): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 5) return 'now';
  const [unit, length] = UNITS.find(([, each]) => size >= each) ?? UNITS[3];
  // Add 1 % of the unit: otherwise a two-day countdown shows 1 day after its first second.
  const count = Math.floor(size / length + 0.01);
  const text = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`;
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** Remaining time: `03:12`, `1:03:12`; `00:00` after the end. */
export function countdown(moment: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(moment) - now) / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  return hours === 0 ? text : `${hours}:${text}`;
}

/** Created once: constructing a formatter is slow, and a page formats many times. */
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });

/** Full date and time in the browser's locale and time zone. */
export const exactTime = (moment: string): string => EXACT.format(new Date(moment));

const INTERVALS: { readonly [unit: string]: string } = { m: 'minutes', h: 'hours', d: 'days' };

/** Converts `15m` to `every 15 minutes`, `1h` to `every hour`. */
export function intervalText(interval: string): string {
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(interval) ?? [];
  const name = INTERVALS[unit];
  if (name === undefined) return `every ${interval}`;
  return count === '1' ? `every ${name.slice(0, -1)}` : `every ${count} ${name}`;
}

/** Duration as text: `<0.1 s`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`, `1 day 3 h`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (milliseconds < 100) return '<0.1 s';
  if (milliseconds < 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const at = UNITS.findIndex(([, each]) => seconds >= each);
  const [unit, length] = UNITS[at] ?? UNITS[3];
  const count = Math.floor(seconds / length);
  const [nextUnit, nextLength] = UNITS[at + 1] ?? ['', 0];
  const rest = nextLength === 0 ? 0 : Math.floor((seconds % length) / nextLength);
  const text = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`;
  return rest === 0 ? text : `${text} ${rest} ${nextUnit}`;
}

/** Time of day in the local time zone: `14:03:07`. */
export const clockTime = (moment: string): string => CLOCK.format(new Date(moment));
