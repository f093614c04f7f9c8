/** Values that programs stumble over, as JSON is written: some of them no value of ours can stand for. */
import type { Random } from './random.ts';

const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\u0007\u001b[31m',
  '\u007f\u0085',
  '\u202etxt.exe',
  '\u200b\u200d\ufeff',
  '\ufffe\uffff',
  '🚀'.repeat(40),
  'e\u0301\u0327'.repeat(30),
  'İıſK',
  '٣٤٥',
  '１２３',
  '-0',
  '0',
  '00',
  '1e3',
  '0x10',
  '1_000',
  ' 1',
  '1.0',
  '18446744073709551615',
  '18446744073709551616',
  '9'.repeat(400),
  'NaN',
  'null',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../../etc/passwd',
  '..\\..\\windows',
  "'; DROP TABLE events; --",
  '%00%0d%0a',
  '\r\nX-Injected: 1',
  '{{7*7}}#{7*7}',
  '<script>alert(1)</script>',
  '$where',
  'javascript:alert(1)',
  'https://user:pass@127.0.0.1:1/',
  'http://[::1]/',
  'https://xn--80ak6aa92e.example/%zz',
  'file:///etc/passwd',
  '1'.repeat(32),
  'z'.repeat(44),
  '1'.repeat(44),
  '0OIl'.repeat(11),
  '11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '7C9E6679-7425-40DE-944B-E07FC1F90AE7',
  '2026-02-30T25:61:61.999Z',
  '+275760-09-13T00:00:00.001Z',
  'AAAA====',
  'x'.repeat(300),
  'x'.repeat(5_000),
];

const TEXTS_AS_WRITTEN: readonly string[] = [
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"a\\udc00z"',
  '"\\u0000"',
  '"\\u005f_proto__"',
  '"\\/\\b\\f"',
];

const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '0.0',
  '-1',
  '1e0',
  '1E+2',
  '1e-400',
  '1e400',
  '-1e400',
  '0.1e1',
  '0.005',
  '0.07',
  '99.999',
  '100.00000000000001',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '1.7976931348623157e308',
  '5e-324',
  '3.0000000000000001',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
];

const OTHERS: readonly string[] = ['true', 'false', 'null', '[]', '{}', '[null]', '{"":""}', '[[[[]]]]'];

const DEEP: readonly string[] = [
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
  `[${'0,'.repeat(5_000)}0]`,
];

/** Any JSON value. */
export function hostileJson(random: Random): string {
  const kind = random.below(20);
  if (kind < 8) return JSON.stringify(random.pick(HOSTILE_TEXTS));
  if (kind < 10) return random.pick(TEXTS_AS_WRITTEN);
  if (kind < 15) return random.pick(NUMBERS);
  if (kind < 19) return random.pick(OTHERS);
  return random.pick(DEEP);
}

export function hostileText(random: Random): string {
  return random.pick(HOSTILE_TEXTS);
}
