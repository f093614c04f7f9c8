/** The form in which readiness is shown. */

/** One part that the service needs to do its work. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The failing part is one of many and the others work: load balancers need not route elsewhere. */
  readonly isPartial?: true;
  readonly details: { readonly [key: string]: string | number | boolean | null };
}

export const READINESS = ['ready', 'degraded', 'not ready'] as const;
type Readiness = (typeof READINESS)[number];

export interface ReadinessAnswer {
  /** 200 when everything works or one of many parts does not, else 503. */
  readonly status: 200 | 503;
  readonly contentType: string;
  readonly body: string;
}

/** Members that may hold the message of a driver. */
const MESSAGES: ReadonlySet<string> = new Set(['error', 'reason']);
/** Addresses, names of hosts with a dot or a port, what networks and name services say of others, and paths; not the name of a log. */
const PLACES =
  /:\/\/|\d{1,3}(?:\.\d{1,3}){3}|[\w\]]:\d{3,5}\b|\blocalhost\b|\b[\w-]+\.[a-z]{2,}\b(?!\/)|\bnode at \S|\bENOTFOUND\b|\bE(?:AI_|CONN|HOST|NET|TIMED)\w*|(?:^|[\s'"(=])(?:\/|[A-Z]:\\)[\w.-]/i;
const IN_LOG = 'it does not work: the log says why';

/** Anybody may read the answer: a message that names hosts, ports or files is in the log only. */
function shownDetails(details: ReadinessCheck['details']): ReadinessCheck['details'] {
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
      ...shownDetails(details),
    })),
  };
  return {
    status: isServing ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}
