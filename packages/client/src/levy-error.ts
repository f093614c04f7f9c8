/** Errors for the service's refusals. */
import type { Problem } from './schema.ts';

export type ProblemCode = Problem['code'];

export class LevyError extends Error {
  override readonly name = 'LevyError';
  readonly status: number;
  /** Code for programs; undefined if the response came from a proxy in front of the service. */
  readonly code: ProblemCode | undefined;
  /** Problem document of the refusal. */
  readonly problem: Problem | undefined;
  /** Set if a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly problem: Problem | undefined;
    readonly retryAfterSeconds: number | undefined;
  }) {
    const { status, problem, retryAfterSeconds } = answer;
    super(
      problem === undefined
        ? `the service returned HTTP status ${status}`
        : `${problem.code}: ${problem.detail}`,
    );
    this.status = status;
    this.code = problem?.code;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads an unsuccessful response. */
export async function levyErrorOf(response: Response): Promise<LevyError> {
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const body: unknown = isJson ? await response.json().catch(() => undefined) : undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new LevyError({
    status,
    problem: isProblem(body) ? body : undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/** Other servers send problems too, but without a code. */
function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}
