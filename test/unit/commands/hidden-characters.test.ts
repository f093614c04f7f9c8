/** Which characters a name may show, and how the others are told. */
import { describe, expect, test } from 'vitest';
import { hiddenCharacter, hiddenCharacterInLines } from '../../../src/commands/hidden-characters.ts';

const ALL = Array.from({ length: 0x110000 }, (_, code) => code);
const text = (code: number) => `US${String.fromCodePoint(code)}DC`;
const isWithin = (code: number, ranges: readonly (readonly [number, number])[]) =>
  ranges.some(([first, last]) => code >= first && code <= last);

describe('a text that is shown to strangers', () => {
  test.each([
    ['soft hyphen', 0xad, 0xad],
    ['combining grapheme joiner', 0x34f, 0x34f],
    ['Arabic letter mark', 0x61c, 0x61c],
    ['Hangul fillers', 0x115f, 0x1160],
    ['Mongolian vowel separator', 0x180e, 0x180e],
    ['spaces without width, joiners and marks of direction', 0x200b, 0x200f],
    ['lines and directions', 0x2028, 0x202e],
    ['invisible operators and isolates', 0x2060, 0x206f],
    ['an empty Braille cell', 0x2800, 0x2800],
    ['Hangul filler', 0x3164, 0x3164],
    ['private use', 0xe000, 0xf8ff],
    ['variation selectors', 0xfe00, 0xfe0f],
    ['byte order mark', 0xfeff, 0xfeff],
    ['half-width filler', 0xffa0, 0xffa0],
    ['what stands for something else', 0xfff9, 0xfffd],
    ['tags', 0xe0000, 0xe007f],
    ['more variation selectors', 0xe0100, 0xe01ef],
    ['no characters', 0xffffe, 0xfffff],
    ['control characters', 0, 0x1f],
    ['halves of characters', 0xd800, 0xdfff],
  ])('has no %s', (_what, first, last) => {
    for (let code = first; code <= last; code += 1) {
      const told = code.toString(16).toUpperCase().padStart(4, '0');
      expect(hiddenCharacter(text(code))).toContain(`must not contain U+${told} (character 3), `);
    }
  });

  test('may have every character that is seen', () => {
    const seen = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
    const wrong = ALL.filter((code) => seen.test(String.fromCodePoint(code)))
      .filter((code) => hiddenCharacter(text(code)) !== undefined)
      .filter(
        (code) =>
          !/[\p{Default_Ignorable_Code_Point}\u2800]/u.test(String.fromCodePoint(code)) &&
          !isWithin(code, [[0xfffc, 0xfffd]]),
      );
    expect(wrong).toEqual([]);
  });

  test('has no other space than the usual one', () => {
    expect(hiddenCharacter('US DC')).toBeUndefined();
    for (const code of [0xa0, 0x1680, 0x2000, 0x2009, 0x202f, 0x205f, 0x3000])
      expect(hiddenCharacter(text(code))).toContain('a space other than U+0020');
  });

  test.each([
    ['joined', '👨\u200d👩\u200d👧\u200d👦'],
    ['of a colour', '👍🏽'],
    ['with a selector', '❤\ufe0f'],
    ['of a key', '1\ufe0f\u20e3'],
    ['a flag', '🇨🇭'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['plain', '🚀'],
  ])('may have an emoji that is %s', (_what, emoji) => {
    expect(hiddenCharacter(`a${emoji}b`)).toBeUndefined();
    // What is said of a later character counts it as its parts.
    expect(hiddenCharacter(`${emoji}\u00ad`)).toContain(`(character ${[...emoji].length + 1})`);
  });

  test.each([
    ['a selector behind an emoji that needs none', '🚀\ufe0f', 'U+FE0F (character 2)'],
    ['a selector of the plain form', '❤\ufe0e', 'U+FE0E (character 2)'],
    ['a joiner between emoji that make no other', '🚀\u200d🚀', 'U+200D (character 2)'],
    ['tags that make no flag', '🏴\u{e0067}\u{e007f}', 'U+E0067 (character 2)'],
    ['a selector at a letter', 'a\ufe0f', 'U+FE0F (character 2)'],
    ['a joiner between letters', 'US\u200dDC', 'U+200D (character 3)'],
    ['a non-joiner between letters', 'US\u200cDC', 'U+200C (character 3)'],
    ['a non-joiner behind a letter that joins nothing', 'ما\u200cد', 'U+200C (character 3)'],
    ['a non-joiner at the end', 'می\u200c', 'U+200C (character 3)'],
    ['a mark at the start', '\u0301a', 'U+0301 (character 1)'],
    ['a mark behind a space', 'a \u0301', 'U+0301 (character 3)'],
  ])('has not %s', (_what, wrong, told) => {
    expect(hiddenCharacter(wrong)).toContain(told);
    expect(hiddenCharacterInLines(wrong)).toContain(told);
  });

  test.each([
    'می\u200cخواهم',
    'क्\u200dष',
    'e\u0301',
    'שלום',
    'สวัสดี',
  ])('may have writing that needs joiners or marks: %j', (writing) => {
    expect(hiddenCharacter(writing)).toBeUndefined();
  });

  test('of several lines may have line breaks, tabs and wide spaces, and nothing else more', () => {
    expect(hiddenCharacterInLines('one\r\n\ttwo\u00a0three\u3000four')).toBeUndefined();
    for (const wrong of ['\u2028', '\u2029', '\u200b', '\u202e', '\0', '\ue000'])
      expect(hiddenCharacterInLines(`a${wrong}`)).toContain('must not contain');
  });
});
