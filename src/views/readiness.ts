/** The form in which readiness is shown. */

/** One part that the service needs to do its work. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly details: { readonly [key: string]: string | number | boolean | null };
}

/** The HTTP answer: 200 when everything works, else 503. */
export function readinessAnswer(checks: readonly ReadinessCheck[]) {
  const ready = checks.every(({ ok }) => ok);
  const body = {
    status: ready ? 'ready' : 'not ready',
    checks: checks.map(({ details, ...check }) => ({ ...check, ...details })),
  };
  return {
    status: ready ? 200 : 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  };
}
