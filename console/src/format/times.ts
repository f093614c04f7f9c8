/** Moments as people say them. */

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `12 min ago`, `in 3 days`, `now`. */
export function relativeTime(moment: string, now: number): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 5) return 'now';
  const [unit, length] = UNITS.find(([, each]) => size >= each) ?? UNITS[3];
  // Two days that began a moment ago are not one day.
  const count = Math.floor(size / length + 0.01);
  const text = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`;
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** `03:12`, `1:03:12`; `00:00` once it is over. */
export function countdown(moment: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(moment) - now) / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  return hours === 0 ? text : `${hours}:${text}`;
}

/** Made once: to make one takes longer than to use it, and a page shows many moments. */
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });

/** In the reader's own words and zone. */
export const exactTime = (moment: string): string => EXACT.format(new Date(moment));

const INTERVALS: { readonly [unit: string]: string } = { m: 'minutes', h: 'hours', d: 'days' };

/** `15m` as `every 15 minutes`, `1h` as `every hour`. */
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

/** `14:03:07`, in the reader's zone. */
export const clockTime = (moment: string): string => CLOCK.format(new Date(moment));
