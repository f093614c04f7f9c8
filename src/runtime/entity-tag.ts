/** Entity tags (RFC 9110, 8.8.3 and 13.1): what a caller saw of a thing, so that it overwrites nothing that it did not see. */
import { hashInput } from './ids.ts';
import { Rejection } from './rejection.ts';

/** Hexadecimal digits: 128 bits. */
const LENGTH = 32;

interface ListedTag {
  readonly weak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

/** Tags of contents that cannot change, because the same documents are asked for again and again. */
const known = new WeakMap<object, string>();

/** The strong tag of a content: the same if and only if the content is, whatever the order of its keys. */
export function entityTagOf(content: object): string {
  const before = known.get(content);
  if (before !== undefined) return before;
  const tag = `"${hashInput(content).slice(0, LENGTH)}"`;
  if (isFrozen(content)) known.set(content, tag);
  return tag;
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

/**
 * Throws `PRECONDITION_FAILED` unless If-Match, where it was sent, names the tag or is `*`; `VALIDATION_FAILED` where
 * it names nothing. A weak tag never matches: it does not promise that the content is the very same.
 */
export function requireMatch(ifMatch: string | undefined, entityTag: string): void {
  if (ifMatch === undefined) return;
  const listed = readTags(ifMatch);
  if (listed === undefined) {
    throw new Rejection(
      'VALIDATION_FAILED',
      'invalid',
      'If-Match must be the ETag of an earlier answer with its quotes, a list of such, or *.',
    );
  }
  if (listed === '*' || listed.some(({ weak, opaque }) => !weak && opaque === entityTag)) return;
  throw new Rejection(
    'PRECONDITION_FAILED',
    'precondition-failed',
    'It has changed since the answer whose ETag is in If-Match; read it again.',
  );
}

/** Whether a caller who holds what If-None-Match names holds this already. What cannot be read names nothing. */
export function isHeldAlready(ifNoneMatch: string | undefined, entityTag: string): boolean {
  const listed = ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch);
  if (listed === undefined) return false;
  return listed === '*' || listed.some(({ opaque }) => opaque === entityTag);
}

/** Undefined for anything but `*` or at least one tag. Takes time in proportion to the length. */
function readTags(header: string): readonly ListedTag[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const blanks = /[ \t,]*/y;
  const tag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y;
  const end = /[ \t]*(?:,|$)/y;
  const listed: ListedTag[] = [];
  for (let at = 0; ; ) {
    blanks.lastIndex = at;
    blanks.test(header);
    if (blanks.lastIndex === header.length) return listed.length === 0 ? undefined : listed;
    tag.lastIndex = blanks.lastIndex;
    const [, weak, opaque] = tag.exec(header) ?? [];
    if (opaque === undefined) return undefined;
    listed.push({ weak: weak !== undefined, opaque });
    end.lastIndex = tag.lastIndex;
    if (!end.test(header)) return undefined;
    at = end.lastIndex;
  }
}
