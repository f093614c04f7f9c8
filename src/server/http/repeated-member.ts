/**
 * Finds a member that a JSON body has twice. JSON.parse takes the last one, other parsers the first: a proxy, a signer and this
 * service could each read another amount.
 */
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';

type Path = readonly string[];

/** Strings, with the colon that follows names, and what opens, closes and separates. Nothing else matters in valid JSON. */
const TOKENS = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\],]/g;

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined;
  /** Name or index of the member or element that is being read. */
  at: string | number;
}

/** The place of the first one. `text` must be valid JSON. */
export function repeatedMember(text: string): Path | undefined {
  const levels: Level[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (colon !== undefined && quoted !== undefined && level?.names !== undefined) {
      // "a" and "\u0061" are the same name.
      level.at = quoted.includes('\\') ? String(JSON.parse(`"${quoted}"`)) : quoted;
      if (level.names.has(level.at)) return levels.map(({ at }) => String(at));
      level.names.add(level.at);
    } else if (token === '{') levels.push({ names: new Set(), at: '' });
    else if (token === '[') levels.push({ names: undefined, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && typeof level?.at === 'number') level.at += 1;
  }
  return undefined;
}

export function namedTwice(path: Path): Rejection {
  return rejection('VALIDATION_FAILED', `The body names ${path.join('.')} twice; name it once.`, {
    details: [{ path: [...path], message: 'must not appear twice' }],
  });
}
