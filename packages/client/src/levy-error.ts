/** The service's refusals as errors. */
import type { Problem } from './schema.ts';

export type ProblemCode = Problem['code'];

export class LevyError extends Error {
  override readonly name = 'LevyError';
  readonly status: number;
  /** The code that programs compare; undefined if the answer came from something in front of the service. */
  readonly code: ProblemCode | undefined;
  /** Everything that the service says about the refusal. */
  readonly problem: Problem | undefined;
  /** Set if a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly problem: Problem | undefined;
    readonly retryAfterSeconds: number | undefined;
  }) {
    const { status, problem, retryAfterSeconds } = answer;
    super(problem === undefined ? `the service answered ${status}` : `${problem.code}: ${problem.detail}`);
    this.status = status;
    this.code = problem?.code;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads a response that is not a success. */
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

/** Other servers send problems too; only ours have a code. */
function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}
