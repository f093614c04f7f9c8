/** View of the service's readiness. */

/** State of one dependency of the service. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** True if the failing part is redundant and all other parts work, so that load balancers can continue routing here. */
  readonly isPartial?: true;
  readonly details: { readonly [key: string]: string | number | boolean | null };
}

export const READINESS = ['ready', 'degraded', 'not ready'] as const;
type Readiness = (typeof READINESS)[number];

export interface ReadinessAnswer {
  /** 200 if all parts work or only redundant ones fail, else 503. */
  readonly status: 200 | 503;
  readonly contentType: string;
  readonly body: string;
}

/** Members that may contain the error message of a driver. */
const MESSAGES: ReadonlySet<string> = new Set(['error', 'reason']);
/** Matches host names with a dot or port, URLs, IP addresses, network and DNS errors, and paths; not the name of a log. */
const PLACES =
  /:\/\/|\d{1,3}(?:\.\d{1,3}){3}|[\w\]]:\d{3,5}\b|\blocalhost\b|\b[\w-]+\.[a-z]{2,}\b(?!\/)|\bnode at \S|\bENOTFOUND\b|\bE(?:AI_|CONN|HOST|NET|TIMED)\w*|(?:^|[\s'"(=])(?:\/|[A-Z]:\\)[\w.-]/i;
const IN_LOG = 'failed; see the log of the service';

/** The response is public, so messages with hosts, ports or files are only logged. */
function publicDetails(details: ReadinessCheck['details']): ReadinessCheck['details'] {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      MESSAGES.has(name) && typeof value === 'string' && PLACES.test(value) ? IN_LOG : value,
    ]),
  );
}

export function readinessAnswer(checks: readonly ReadinessCheck[]): ReadinessAnswer {
  const failing = checks.filter(({ ok }) => !ok);
  const isServing = failing.every(({ isPartial }) => isPartial);
  const status: Readiness = failing.length === 0 ? 'ready' : isServing ? 'degraded' : 'not ready';
  const body = {
    status,
    checks: checks.map(({ details, isPartial: _partial, ...check }) => ({
      ...check,
      ...publicDetails(details),
    })),
  };
  return {
    status: isServing ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}
