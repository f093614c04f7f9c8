/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1): identify what a caller saw, so that it cannot overwrite what it did not see.
 */
import { hashInput } from './ids.ts';
import { Rejection } from './rejection.ts';

/** Hexadecimal digits: 128 bits. */
const LENGTH = 32;

/** What proxies write behind a tag when they compress an answer: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;br`. */
const CODING_SUFFIX = /[-;:]+(?:gzip|br|zstd|deflate|df)(?="$)/;

/** Caches the tags of contents that cannot change, because the same documents are requested again and again. */
const known = new WeakMap<object, string>();

/** The strong tag of a content: equal if and only if the contents are equal, whatever the order of their keys. */
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
 * Throws `PRECONDITION_FAILED` unless If-Match, if it was sent, names the tag or is `*`; throws `VALIDATION_FAILED` if
 * it names nothing. Tags identify content, so the opaque part alone is compared: proxies that compress an answer weaken its
 * tag, or write the coding behind it.
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
  if (listed === '*' || names(listed, entityTag)) return;
  throw new Rejection(
    'PRECONDITION_FAILED',
    'precondition-failed',
    'It has changed since the answer whose ETag is in If-Match; read it again.',
  );
}

/**
 * Whether If-None-Match names the tag, so that the caller already holds the content. An unreadable header names
 * nothing.
 */
export function isHeldAlready(ifNoneMatch: string | undefined, entityTag: string): boolean {
  const listed = ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch);
  if (listed === undefined) return false;
  return listed === '*' || names(listed, entityTag);
}

function names(listed: readonly string[], entityTag: string): boolean {
  return listed.some((opaque) => opaque === entityTag || opaque.replace(CODING_SUFFIX, '') === entityTag);
}

/** Opaque parts with their quotes. Undefined for anything but `*` or at least one tag. Linear time. */
function readTags(header: string): readonly string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const blanks = /[ \t,]*/y;
  const tag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y;
  const end = /[ \t]*(?:,|$)/y;
  const listed: string[] = [];
  for (let at = 0; ; ) {
    blanks.lastIndex = at;
    blanks.test(header);
    if (blanks.lastIndex === header.length) return listed.length === 0 ? undefined : listed;
    tag.lastIndex = blanks.lastIndex;
    const [, opaque] = tag.exec(header) ?? [];
    if (opaque === undefined) return undefined;
    listed.push(opaque);
    end.lastIndex = tag.lastIndex;
    if (!end.test(header)) return undefined;
    at = end.lastIndex;
  }
}
