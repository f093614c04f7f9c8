/**
 * The form of every test of a query: given what happened, when it is asked, then this answer, or this rejection. Read models are
 * real ones, filled from the events; there is no socket and no chain.
 *
 * On the way it holds the query to what every query must keep: the question fits its schema, the answer too and to the last
 * member, the same question has the same answer, and a rejection is one that it declares.
 */
import { TypeGuard } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { expect, onTestFinished } from 'vitest';
import { type AnyQuery, RawAnswer, TaggedAnswer } from '../../src/kernel/runtime/define-query.ts';
import type { Call } from '../../src/kernel/runtime/define-route.ts';
import { Rejection } from '../../src/kernel/runtime/rejection.ts';
import { projections } from '../../src/projections/index.ts';
import type { QueryServices } from '../../src/queries/index.ts';
import { REJECTION_CODES, type RejectionCode } from '../../src/streams/rejections.ts';
import { openProjecting, untilAllLive } from './projecting.ts';
import { appendRecorded, type Happening, storedEvents } from './recorded-events.ts';

export interface Asked extends Partial<Pick<Call, 'actor' | 'partner'>> {
  readonly params?: { readonly [name: string]: unknown };
  readonly query?: { readonly [name: string]: unknown };
  /** ISO 8601. */
  readonly now?: string;
  /** Services that the query needs besides the read model and the clock. */
  readonly services?: object;
}

export function querySpec<Services>(query: AnyQuery<Services>) {
  return {
    given(...happenings: readonly Happening[]) {
      return {
        when(asked: Asked = {}) {
          const asking = answering(happenings);
          const ask = async () => (await asking)(query, asked);
          return {
            async answers(expected: unknown): Promise<void> {
              expect(jsonOf(await ask())).toEqual(expected);
              expect(jsonOf(await ask()), 'the same question has the same answer').toEqual(expected);
            },
            async rejects(code: RejectionCode): Promise<void> {
              const rejection = await ask().then(
                (answer) => expect.fail(`${code} was expected, not ${JSON.stringify(answer)}`),
                (error: unknown) => error,
              );
              expect(rejection).toBeInstanceOf(Rejection);
              expect(rejection).toMatchObject({ code, kind: REJECTION_CODES[code].kind });
            },
          };
        },
      };
    },
  };
}

/** One history of a test is projected once, however often it is asked about. */
const answered = new WeakMap<readonly Happening[], ReturnType<typeof projected>>();

/** For tests that ask several queries about one history. Gives what the query answers, as it answers it. */
export function answering(happenings: readonly Happening[]) {
  const known = answered.get(happenings) ?? projected(happenings);
  answered.set(happenings, known);
  onTestFinished(() => void answered.delete(happenings));
  return known;
}

async function projected(happenings: readonly Happening[]) {
  const projecting = openProjecting({ projections });
  await appendRecorded(projecting.store, storedEvents(happenings));
  await projecting.projector.start();
  await untilAllLive(projecting);
  return async <Services = QueryServices>(query: AnyQuery<Services>, asked: Asked = {}): Promise<unknown> => {
    const { params = {}, query: search = {}, actor = 'anonymous', now = '2026-05-04T10:00:00.000Z' } = asked;
    requireFitting(query, { params, query: search });
    const services = {
      readModel: projecting.readModel,
      clock: { now: () => new Date(now) },
      ...asked.services,
    };
    const call: Call = { actor, requestId: 'request', ...(asked.partner && { partner: asked.partner }) };
    try {
      const input = { params, query: search, body: undefined };
      const answer = await query.run(input, { services: services as Services, call });
      requireWhole(query, answer);
      return answer;
    } catch (error) {
      if (error instanceof Rejection)
        expect([...query.rejections, 'VALIDATION_FAILED'], 'the query declares its rejections').toContain(
          error.code,
        );
      throw error;
    }
  };
}

function requireFitting({ input }: Pick<AnyQuery<never>, 'input'>, asked: Pick<Asked, 'params' | 'query'>) {
  for (const part of ['params', 'query'] as const) {
    const schema = input[part];
    if (schema !== undefined) Value.Assert(schema, asked[part]);
  }
}

/** JSON answers have every member of their schema, and no other. */
function requireWhole({ name, output }: Pick<AnyQuery<never>, 'name' | 'output'>, answer: unknown): void {
  const value = jsonOf(answer);
  if (value === undefined || TypeGuard.IsString(output)) return;
  expect([...Value.Errors(output, value)], `the answer of ${name} fits its schema`).toEqual([]);
  expect(Value.Clean(output, structuredClone(value)), `${name} answers what its schema has`).toEqual(value);
}

/** The answer in the form in which a client reads it; undefined where it is not JSON. */
function jsonOf(answer: unknown): unknown {
  if (answer instanceof TaggedAnswer) return jsonOf(answer.output);
  if (answer instanceof RawAnswer) return JSON.parse(answer.text);
  const isPlain = Object.getPrototypeOf(answer) === Object.prototype;
  return isPlain ? JSON.parse(JSON.stringify(answer)) : undefined;
}
