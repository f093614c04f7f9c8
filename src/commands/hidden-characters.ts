/**
 * Finds characters that could make two texts indistinguishable: invisible, direction-changing and unassigned ones. The
 * classes are Unicode properties, so a later release of Node recognizes more characters and emoji. Texts are checked
 * only when they are sent. Pure.
 */

/** Marks that remove a consonant's vowel: a joiner after them selects the form of the pair. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;
const ARABIC_LETTER = String.raw`[\p{L}&&[\u0620-\u064a\u066e-\u06d3]]`;
/** Letters that never join the next letter, so a non-joiner after them is invisible. */
const JOINS_NOTHING_BEHIND = String.raw`[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3]`;
const JOINS_BEHIND = `[${ARABIC_LETTER}--${JOINS_NOTHING_BEHIND}]`;

/**
 * Sequences in which invisible characters affect the visible text: emoji in Unicode's recommended form, and joiners
 * that change adjacent letters (RFC 5892, appendix A). Built by the constructor, because the compiler's target does not
 * support the flag.
 */
const EMOJI_SEQUENCE = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${VIRAMA})[\u200c\u200d](?=\p{L})|(?<=${JOINS_BEHIND}\p{Mn}*)\u200c(?=${ARABIC_LETTER})`,
  'gv',
);

const HIDDEN = /(?! )[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800\ufffc\ufffd]/u;
const HIDDEN_IN_LINES = /(?![\t\n\r\p{Zs}])[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800\ufffc\ufffd]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Matches a combining mark without a character before it, on which it would be drawn. */
const MARK_ON_NOTHING = /(?:^|(?<=\s))\p{M}/u;

/** Patterns with their messages; the first match is used. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\p{Cc}/u, 'a control character'],
  [/\p{Cs}/u, 'an unpaired surrogate'],
  [/[\p{Bidi_Control}\u2066-\u2069]/u, 'which changes the direction of writing'],
  [/[\u2028\u2029]/u, 'which breaks the line'],
  [/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, 'a variation selector outside an emoji'],
  [/\p{Default_Ignorable_Code_Point}|\p{Cf}|\u2800/u, 'which is invisible'],
  [/\p{Z}/u, 'a space other than U+0020'],
  [/\p{Co}/u, 'a private-use character'],
  [/\p{Cn}/u, 'an unassigned character'],
  [/\p{M}/u, 'a mark without a letter before it'],
];

/** Returns an error for the first forbidden character; undefined if every character is visible. */
export function hiddenCharacter(text: string): string | undefined {
  return firstFound(text, HIDDEN);
}

/** Variant of `hiddenCharacter` for a text of several lines, in which tabs and all spaces are allowed. */
export function hiddenCharacterInLines(text: string): string | undefined {
  return firstFound(text, HIDDEN_IN_LINES);
}

function firstFound(text: string, hidden: RegExp): string | undefined {
  const shown = INVISIBLE.test(text)
    ? text.replace(EMOJI_SEQUENCE, (together) => 'x'.repeat([...together].length))
    : text;
  const found = [hidden.exec(shown), MARK_ON_NOTHING.exec(shown)].filter((match) => match !== null);
  const [first] = found.sort((one, other) => one.index - other.index);
  if (first === undefined) return undefined;
  const [character = ''] = first;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = [...shown.slice(0, first.index)].length + 1;
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? 'a replacement character';
  return `must not contain U+${code} (character ${place}), ${kind}`;
}
