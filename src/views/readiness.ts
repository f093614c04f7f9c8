/** The form in which readiness is shown. */

/** One part that the service needs to do its work. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What does not work is one of many, and everything else does: calls need not go elsewhere. */
  readonly isPartial?: true;
  readonly details: { readonly [key: string]: string | number | boolean | null };
}

export const READINESS = ['ready', 'degraded', 'not ready'] as const;
type Readiness = (typeof READINESS)[number];

export interface ReadinessAnswer {
  /** 200 when everything works or one of many parts does not, else 503. */
  readonly status: 200 | 503;
  readonly contentType: string;
  readonly body: Uint8Array;
}

export function readinessAnswer(checks: readonly ReadinessCheck[]): ReadinessAnswer {
  const failing = checks.filter(({ ok }) => !ok);
  const isServing = failing.every(({ isPartial }) => isPartial);
  const status: Readiness = failing.length === 0 ? 'ready' : isServing ? 'degraded' : 'not ready';
  const body = {
    status,
    checks: checks.map(({ details, isPartial: _partial, ...check }) => ({ ...check, ...details })),
  };
  return {
    status: isServing ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify(body)),
  };
}
