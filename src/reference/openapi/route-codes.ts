/** Codes that a route may return: the codes that it declares, and the codes of the checks before it. */

import { type Route, takesIdempotencyKey as toldApartByKey } from '../../kernel/runtime/define-route.ts';
import type { RejectionKind } from '../../kernel/runtime/rejection.ts';
import { STATUS_OF_KIND } from '../../server/http/problems.ts';
import { REJECTION_CODES, type RejectionCode } from '../../streams/rejections.ts';

interface RouteWithRejections {
  readonly kind: 'command' | 'query';
  readonly route: Route;
  readonly rejections: readonly string[];
}

export function takesIdempotencyKey({ kind, route }: RouteWithRejections): boolean {
  return kind === 'command' && toldApartByKey(route);
}

export function waitsForOwnWrites({ kind, route }: RouteWithRejections): boolean {
  return kind === 'query' && route.limit !== 'none';
}

/** Codes by status, both sorted. Throws for an unknown code. */
export function codesByStatus(described: RouteWithRejections): ReadonlyMap<number, readonly RejectionCode[]> {
  const byStatus = new Map<number, RejectionCode[]>();
  for (const code of codesOf(described)) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

export function statusesOf(code: RejectionCode): readonly number[] {
  const entry: { readonly kind: RejectionKind; readonly otherKind?: RejectionKind } = REJECTION_CODES[code];
  return [entry.kind, entry.otherKind].flatMap((kind) => (kind === undefined ? [] : STATUS_OF_KIND[kind]));
}

function codesOf(described: RouteWithRejections): readonly RejectionCode[] {
  const given = new Set<string>([...described.rejections, ...codesOfChecks(described)]);
  const known = Object.keys(REJECTION_CODES) as RejectionCode[];
  const unknown = [...given].filter((code) => !Object.hasOwn(REJECTION_CODES, code));
  if (unknown.length > 0) throw new Error(`${described.route.url} declares unknown codes: ${unknown.join()}`);
  return known.filter((code) => given.has(code));
}

function codesOfChecks(described: RouteWithRejections): readonly RejectionCode[] {
  const { kind, route } = described;
  const hasBody = route.method !== 'GET';
  return [
    'VALIDATION_FAILED',
    // If calls are counted, a partner's key may be invalid.
    ...when(
      route.auth !== 'none' || route.operatorsSeeMore === true || route.limit !== 'none',
      'UNAUTHENTICATED',
    ),
    ...when(route.auth === 'wallet' || route.auth === 'optional', 'TOKEN_EXPIRED'),
    ...when(hasBody, 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    // A repeated call waits for the first one, and may time out.
    ...when(takesIdempotencyKey(described), 'IDEMPOTENCY_KEY_REUSED', 'CONFIRMATION_PENDING'),
    ...when(kind === 'command', 'CONCURRENT_CHANGE'),
    ...when(route.limit !== 'none' || route.auth === 'operator', 'RATE_LIMITED'),
    // Any call may load a stream, at least the stream of its session.
    ...when(kind === 'command' || route.auth !== 'none', 'EVENT_UNDECODABLE'),
    ...when(route.auth !== 'operator' && route.answersWhenBusy !== true, 'SERVICE_BUSY'),
    // Also while the service shuts down, so on every route.
    'STORE_UNAVAILABLE',
  ];
}

function when(condition: boolean, ...codes: readonly RejectionCode[]): readonly RejectionCode[] {
  return condition ? codes : [];
}
