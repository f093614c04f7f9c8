/** Time filters of lists: parses ages and points in time. */
import { Type } from '@sinclair/typebox';
import { invalidFieldRejection } from '../streams/rejections.ts';

const AGE = /^(\d{1,6})(s|m|h|d)$/;
const POINT_IN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const MILLISECONDS: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Later than any recorded time. */
const NEVER = '9999-12-31T23:59:59.999Z';

const AGE_OR_TIME =
  'An age such as `90s`, `10m`, `2h` or `7d`, or a point in time such as `2026-05-04T10:00:00Z`.';

export const OlderThan = Type.String({ maxLength: 30, description: AGE_OR_TIME });

/** `what`: description of the bound. */
export const TimeOrAge = (what: string) =>
  Type.String({ maxLength: 30, description: `${what} ${AGE_OR_TIME}`, examples: ['2h'] });

/** Latest time that the list may include, in ISO 8601. Throws `VALIDATION_FAILED`. */
export function cutoffOf(olderThan: string | undefined, now: Date): string {
  return olderThan === undefined ? NEVER : parseTimeOrAge('olderThan', olderThan, now);
}

/** Time of an age or a point in time, in ISO 8601 with milliseconds. Throws `VALIDATION_FAILED`. */
export function parseTimeOrAge(parameter: string, text: string, now: Date): string {
  const [, count = '', unit = ''] = AGE.exec(text) ?? [];
  const factor = MILLISECONDS[unit];
  if (factor !== undefined) return new Date(now.getTime() - Number(count) * factor).toISOString();
  const at = POINT_IN_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  const rule = 'must be an age such as `10m`, or a time such as `2026-05-04T10:00:00Z`';
  throw invalidFieldRejection(parameter, rule, `${parameter} must be an age or a time.`);
}
