// Commands for the tests of the kernel, run over a real store as one process or several would run them.
import { Type } from '@sinclair/typebox';
import { commandsFor } from '../../../../src/kernel/runtime/define-command.ts';
import type { Call, Route } from '../../../../src/kernel/runtime/define-route.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { createCommandRunner } from '../../../../src/kernel/runtime/run-command.ts';
import { Counted, type CounterState, counter, executorOn, longCounter } from '../../../support/counter.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';
import { type Trouble, withTroubles } from '../../../support/troubled-event-store.ts';

export interface CountingServices {
  /** Runs within `prepare`. */
  prepared(commandId: string): Promise<void>;
  /** Runs within `respond`. */
  answered(): Promise<void>;
  /** Positions that the answer tells of besides its own stream's. */
  readonly observed: string[];
}

const defineCount = (name: string, route: Route, streamId: 'given' | 'own', stream = counter) =>
  commandsFor<CountingServices>()({
    name,
    summary: 'Count on',
    description: '',
    route,
    input: {
      params: Type.Object({ counterId: Type.String() }),
      body: Type.Object({ by: Type.Integer(), note: Type.Optional(Type.String()) }),
    },
    output: Type.Object({ total: Type.Integer() }),
    rejections: [],
    stream,
    streamId:
      streamId === 'own' ? (_input, { commandId }) => `of-${commandId}` : ({ params }) => params.counterId,
    async prepare({ body }, { services, cause }) {
      await services.prepared(cause.commandId);
      return { by: body.by };
    },
    // Not idempotent by itself, so that only the kernel can keep a repetition from counting twice.
    decide({ closed }, _input, { by }, _actor) {
      if (closed) throw new Rejection('CLOSED', 'conflict', 'The counter is closed.');
      return by === 0 ? [] : [Counted({ by })];
    },
    async respond({ total }, _input, { services, observed }) {
      await services.answered();
      for (const position of services.observed) observed(position);
      return { total };
    },
    entityTag: ({ total }: CounterState) => `"${total}"`,
  });

/** Recorded in the stream that the request names. */
export const count = defineCount(
  'Count',
  { method: 'POST', url: '/counters/:counterId', auth: 'wallet' },
  'given',
);
/** Recorded in the stream that the request names, which is loaded from its last snapshot. */
export const countLong = defineCount(
  'CountLong',
  { method: 'POST', url: '/counters/:counterId', auth: 'wallet' },
  'given',
  longCounter,
);
/** Recorded in a stream of its own. */
export const countAnew = defineCount(
  'CountAnew',
  { method: 'POST', url: '/counters', auth: 'wallet' },
  'own',
);
/** On which an Idempotency-Key means nothing. */
export const countAlways = defineCount(
  'CountAlways',
  { method: 'POST', url: '/always/:counterId', auth: 'wallet', ignoresIdempotencyKey: true },
  'given',
);

/** Calls that name one counter take turns; the answer has no tag. */
export const countInTurn: typeof count = commandsFor<CountingServices>()(withoutTag(count));

function withoutTag({ entityTag: _tag, ...definition }: typeof count) {
  return {
    ...definition,
    lockOf: ({ params }: { readonly params: { readonly counterId: string } }) => params.counterId,
  };
}

export async function openCounting(
  troubles: readonly Trouble[] = [],
  {
    command = count,
    decisionTimeout,
    ...options
  }: NonNullable<Parameters<typeof createCommandRunner>[2]> & {
    readonly command?: typeof count;
    readonly decisionTimeout?: number;
  } = {},
) {
  const store = await temporaryEventStore();
  const troubled = withTroubles(store, troubles);
  const prepared: string[] = [];
  let whilePreparing: () => Promise<void> = async () => undefined;
  let whileAnswering: () => Promise<void> = async () => undefined;
  const observed: string[] = [];
  const services: CountingServices = {
    observed,
    async prepared(commandId) {
      prepared.push(commandId);
      await whilePreparing();
    },
    answered: () => whileAnswering(),
  };
  const patience = decisionTimeout === undefined ? {} : { decisionTimeout };
  const runnerOn = (on = troubled.store) => createCommandRunner(executorOn(on, patience), services, options);
  const runner = runnerOn();
  const inputFor = (by: number, counterId: string) => ({ params: { counterId }, query: {}, body: { by } });
  const callBy = (call: Partial<Call>): Call => ({ actor: 'somebody', requestId: 'request', ...call });
  return {
    prepared,
    observed,
    store,
    appends: troubled.appends,
    log: () => wholeLog(store),
    /** What was counted, by stream. */
    async counted() {
      const events = (await wholeLog(store)).filter(({ type }) => type === 'Counted');
      return events.map(({ stream, data }) => [stream.replace('counter-', ''), data.by]);
    },
    rival: executorOn(store),
    whilePreparing(work: () => Promise<void>) {
      whilePreparing = work;
    },
    whileAnswering(work: () => Promise<void>) {
      whileAnswering = work;
    },
    run: (by: number, call: Partial<Call> = {}, counterId = 'a') =>
      command.run(runner, inputFor(by, counterId), callBy(call)),
    runInput: (input: unknown, call: Partial<Call>) => command.run(runner, input, callBy(call)),
    /** Another process on the same store, or this one after a restart. */
    anotherProcess(on = store) {
      const other = runnerOn(on);
      return (by: number, call: Partial<Call> = {}, counterId = 'a') =>
        command.run(other, inputFor(by, counterId), callBy(call));
    },
  };
}

export const withKey = (idempotencyKey: string, actor = 'somebody') => ({ idempotencyKey, actor });
