/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1): identify what a caller saw, so that it cannot overwrite what it did not see.
 */
import { hashInput } from './ids.ts';
import { Rejection } from './rejection.ts';

/** Hexadecimal digits: 128 bits. */
const LENGTH = 32;

/** Suffixes that proxies add to a tag when they compress an answer: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;br`. */
const CODING_SUFFIX = /[-;:]+(?:gzip|br|zstd|deflate|df)(?="$)/;

/** The strong tag of a content: equal if and only if the contents are equal, whatever the order of their keys. */
export function entityTagOf(content: object): string {
  return `"${hashInput(content).slice(0, LENGTH)}"`;
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

/** Each repetition takes one tag, so a match takes linear time. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;

/** Opaque parts with their quotes. Undefined for anything but `*` or at least one tag. */
function readTags(header: string): readonly string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  return TAGS.test(header) ? (header.match(/"[^"]*"/g) ?? undefined) : undefined;
}
