/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1): identify the content that a caller read, so that it cannot overwrite newer
 * content.
 */
import { hashInput } from './ids.ts';
import { Rejection } from './rejection.ts';

/** Hexadecimal digits of a tag: 128 bits. */
const LENGTH = 32;

/** Suffixes that proxies add to a tag when they compress a response: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;br`. */
const CODING_SUFFIX = /[-;:]+(?:gzip|br|zstd|deflate|df)(?="$)/;

/** Strong tag of a content: equal if and only if the contents are equal, regardless of the order of their keys. */
export function entityTagOf(content: object): string {
  return `"${hashInput(content).slice(0, LENGTH)}"`;
}

/**
 * Throws `PRECONDITION_FAILED` if If-Match was sent and neither contains the tag nor is `*`; throws `VALIDATION_FAILED` if
 * it contains no tag. Only the opaque parts are compared, because proxies that compress a response weaken its tag or append
 * the coding.
 */
export function requireMatch(ifMatch: string | undefined, entityTag: string): void {
  if (ifMatch === undefined) return;
  const listed = readTags(ifMatch);
  if (listed === undefined) {
    throw new Rejection(
      'VALIDATION_FAILED',
      'invalid',
      'If-Match must be *, or one or more ETags of earlier responses with their quotes.',
    );
  }
  if (listed === '*' || names(listed, entityTag)) return;
  throw new Rejection(
    'PRECONDITION_FAILED',
    'precondition-failed',
    'The resource has changed since the response whose ETag is in If-Match; read it again.',
  );
}

/** True if If-None-Match contains the tag, so that the caller already has the content. An unreadable header contains no tag. */
export function isHeldAlready(ifNoneMatch: string | undefined, entityTag: string): boolean {
  const listed = ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch);
  if (listed === undefined) return false;
  return listed === '*' || names(listed, entityTag);
}

function names(listed: readonly string[], entityTag: string): boolean {
  return listed.some((opaque) => opaque === entityTag || opaque.replace(CODING_SUFFIX, '') === entityTag);
}

/** Each repetition consumes one tag, so a match takes linear time. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;

/** Opaque parts with their quotes. Undefined unless the header is `*` or contains at least one tag. */
function readTags(header: string): readonly string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  return TAGS.test(header) ? (header.match(/"[^"]*"/g) ?? undefined) : undefined;
}
