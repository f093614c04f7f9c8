/** Makes text from outside safe to print: a terminal obeys control characters, and reorders or hides what others enclose. */

/** Controls (C0 with line ends, DEL, C1), format characters (bidirectional overrides, zero width), separators and half characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes unsafe characters as `\u001b`. In JSON text they occur in strings only, where that means the same character. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
