// What the console computes of amounts, times and texts: exact, and no more than there is.

import { REASONS, REFUSALS } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { exactAmount, shortAmount, unitsOf } from '../../../console/src/format/amounts.ts';
import { explorerLink } from '../../../console/src/format/explorer.ts';
import { ownersFrom } from '../../../console/src/format/owners.ts';
import { KNOWN_REASONS, reasonText } from '../../../console/src/format/reasons.ts';
import { splitOf } from '../../../console/src/format/split.ts';
import { cutAddress, httpsLink, visibleText } from '../../../console/src/format/texts.ts';
import { countdown, intervalText, relativeTime } from '../../../console/src/format/times.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('an amount', () => {
  test.each([
    ['1', 9, '0.000 000 001'],
    ['13204118902', 9, '13.204 118 902'],
    ['340282366920938463463374607431768211455', 6, '340,282,366,920,938,463,463,374,607,431,768.211 455'],
    ['1234567', 0, '1,234,567'],
  ])('of %s base units at %d decimals is %s exactly', (units, decimals, text) => {
    expect(plain(exactAmount(units, decimals))).toBe(text);
  });

  test.each([
    ['412558783469', 9, '412.558', ''],
    ['999999999999999', 6, '999.99', 'M'],
    ['1000000000000000', 6, '1', 'B'],
    ['12345678901', 6, '12,345', ''],
    ['1469', 9, '0.000 001 469', ''],
  ])('of %s base units at %d decimals is %s %s in short, and never rounded up', (units, decimals, figure, scale) => {
    const short = shortAmount(units, decimals);
    expect([plain(short.figure), short.scale]).toEqual([figure, scale]);
  });

  test.each([
    ['1,000.5', 6, '1000500000'],
    [' 0.000001 ', 6, '1'],
    ['18446744073709551615', 0, '18446744073709551615'],
    ['0.0000001', 6, undefined],
    ['1.5', 0, undefined],
    ['-1', 6, undefined],
    ['1e6', 6, undefined],
    ['', 6, undefined],
  ])('typed as %j at %d decimals is %s base units', (typed, decimals, units) => {
    expect(unitsOf(typed, decimals)).toBe(units);
  });
});

test.each([
  [10, 5, { burned: 10, developer: 5, holders: 85 }],
  [33.33, 33.34, { burned: 33.33, developer: 33.34, holders: 33.33 }],
  [0.1, 0.2, { burned: 0.1, developer: 0.2, holders: 99.7 }],
])('a split with %d %% burned and %d %% for the developer adds up to 100', (burned, developer, split) => {
  expect(splitOf(burned, developer)).toEqual(split);
});

describe('a moment', () => {
  const now = Date.parse('2026-11-25T12:00:00.000Z');

  test.each([
    ['2026-11-25T12:00:03.000Z', 'now'],
    ['2026-11-25T11:48:00.000Z', '12 min ago'],
    ['2026-11-24T12:00:00.000Z', '1 day ago'],
    ['2026-11-22T11:00:00.000Z', '3 days ago'],
    ['2026-11-25T14:30:00.000Z', 'in 2 h'],
    ['2026-11-28T11:59:20.000Z', 'in 3 days'],
  ])('%s is %s', (moment, text) => {
    expect(relativeTime(moment, now)).toBe(text);
  });

  test.each([
    ['2026-11-25T12:03:12.000Z', '03:12'],
    ['2026-11-25T13:03:12.000Z', '1:03:12'],
    ['2026-11-25T11:59:00.000Z', '00:00'],
  ])('is counted down to: %s, %s', (moment, text) => {
    expect(countdown(moment, now)).toBe(text);
  });

  test('an interval is said in words', () => {
    expect(['5m', '1h', '24h', 'odd'].map(intervalText)).toEqual([
      'every 5 minutes',
      'every hour',
      'every 24 hours',
      'every odd',
    ]);
  });
});

describe('what a stranger wrote', () => {
  test('shows marks that change the direction of writing, or cannot be seen, by their numbers', () => {
    expect(visibleText('a\u202Eb\u200Bc')).toBe('a⟨U+202E⟩b⟨U+200B⟩c');
  });

  test.each([
    ['https://sunrise.example/a?b', 'https://sunrise.example/a?b'],
    ['http://sunrise.example/', undefined],
    ['javascript:alert(1)', undefined],
    ['https://user:pass@sunrise.example/', undefined],
  ])('%s leads to %s', (text, target) => {
    expect(httpsLink(text)).toBe(target);
  });

  test('an address is cut in its middle', () => {
    expect(cutAddress('9wFzaaaaaaaaaaaaaaaaaaaT3kP')).toBe('9wFz…T3kP');
  });
});

test('every reason of a ledger, and every refusal of the chain, is explained', () => {
  expect(KNOWN_REASONS).toEqual(expect.arrayContaining([...REASONS, ...REFUSALS]));
  expect(reasonText('new-one')).toBe('Not paid: new-one.');
});

test.each([
  ['mainnet', 'tx', 'https://explorer.solana.com/tx/abc'],
  ['devnet', 'address', 'https://explorer.solana.com/address/abc?cluster=devnet'],
  ['testnet', 'tx', 'https://explorer.solana.com/tx/abc?cluster=testnet'],
  ['localnet', 'tx', undefined],
  [null, 'tx', undefined],
] as const)('an explorer shows what is on %s as %s at %s', (chain, kind, link) => {
  expect(explorerLink(chain, kind, 'abc')).toBe(link);
});

test.each([
  ['', []],
  ['a\nb', ['a', 'b']],
  ['a, b;c\r\n\nd ', ['a', 'b', 'c', 'd']],
])('%j is the list %j of addresses', (typed, owners) => {
  expect(ownersFrom(typed)).toEqual(owners);
});
