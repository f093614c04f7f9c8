/**
 * Finds characters that would make a text look like another one: invisible ones, those that change the direction, and those without a meaning.
 * The classes are Unicode's own properties, so a later release of Node knows more characters and emoji. Texts are checked
 * when they are sent, and never again. Pure.
 */

/** Ends a consonant: a joiner behind it chooses the form of the pair. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;
const ARABIC_LETTER = String.raw`[\p{L}&&[\u0620-\u064a\u066e-\u06d3]]`;
/** Characters that end a joined part by themselves, so that a non-joiner after them is invisible. */
const JOINS_NOTHING_BEHIND = String.raw`[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3]`;
const JOINS_BEHIND = `[${ARABIC_LETTER}--${JOINS_NOTHING_BEHIND}]`;

/**
 * Sequences in which invisible characters are part of the visible text: emoji in the form that Unicode recommends, and joiners
 * that change adjacent letters (RFC 5892, appendix A). Built by a constructor, because the compiler's target does not know the
 * flag.
 */
const SEEN_TOGETHER = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${VIRAMA})[\u200c\u200d](?=\p{L})|(?<=${JOINS_BEHIND}\p{Mn}*)\u200c(?=${ARABIC_LETTER})`,
  'gv',
);

const HIDDEN = /(?! )[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800\ufffc\ufffd]/u;
const HIDDEN_IN_LINES = /(?![\t\n\r\p{Zs}])[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800\ufffc\ufffd]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** A mark is drawn on the character before it. */
const MARK_ON_NOTHING = /(?:^|(?<=\s))\p{M}/u;

/** Each with its error message; the first that fits is used. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\p{Cc}/u, 'a control character'],
  [/\p{Cs}/u, 'half a character'],
  [/[\p{Bidi_Control}\u2066-\u2069]/u, 'which changes the direction of writing'],
  [/[\u2028\u2029]/u, 'which breaks the line'],
  [/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, 'which selects a form and belongs to no emoji here'],
  [/\p{Default_Ignorable_Code_Point}|\p{Cf}|\u2800/u, 'which cannot be seen'],
  [/\p{Z}/u, 'a space of another kind than U+0020'],
  [/\p{Co}/u, 'which has no meaning of its own (private use)'],
  [/\p{Cn}/u, 'which is no character yet (unassigned)'],
  [/\p{M}/u, 'a mark without a letter before it'],
];

/** The complaint about the first character that must not be there; undefined for a text that shows all that it holds. */
export function hiddenCharacter(text: string): string | undefined {
  return firstFound(text, HIDDEN);
}

/** The same for a text of several lines, which may have tabs and spaces of every kind. */
export function hiddenCharacterInLines(text: string): string | undefined {
  return firstFound(text, HIDDEN_IN_LINES);
}

function firstFound(text: string, hidden: RegExp): string | undefined {
  const shown = INVISIBLE.test(text)
    ? text.replace(SEEN_TOGETHER, (together) => 'x'.repeat([...together].length))
    : text;
  const found = [hidden.exec(shown), MARK_ON_NOTHING.exec(shown)].filter((match) => match !== null);
  const [first] = found.sort((one, other) => one.index - other.index);
  if (first === undefined) return undefined;
  const [character = ''] = first;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = [...shown.slice(0, first.index)].length + 1;
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? 'which stands for something else';
  return `must not contain U+${code} (character ${place}), ${kind}`;
}
