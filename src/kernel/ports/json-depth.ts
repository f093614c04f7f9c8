/** Bounds how deep JSON text from outside is nested: what walks or writes the value recursively would overflow the stack. */

const MOST_DEPTH = 100;

export function isTooDeep(text: string): boolean {
  if (text.length <= MOST_DEPTH) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MOST_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
