// A stream category for the tests of the kernel: something is counted until it is closed.
import { type TObject, Type } from '@sinclair/typebox';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import type { Clock } from '../../src/kernel/runtime/clock.ts';
import { constructorsOf, defineStream, type EventOf } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { type Cause, createExecutor, type ExecutorOptions } from '../../src/kernel/runtime/execute.ts';
import { idempotencyKey } from '../../src/kernel/runtime/idempotency-key.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { snapshot } from '../../src/kernel/runtime/snapshots.ts';

export const counterEvents = {
  Counted: Type.Object({ by: Type.Integer({ minimum: 1 }), note: Type.Optional(Type.String()) }),
  CounterClosed: Type.Object({}),
} satisfies { readonly [type: string]: TObject };

export type CounterEvent = EventOf<typeof counterEvents>;
export const { Counted, CounterClosed } = constructorsOf(counterEvents);

export interface CounterState {
  readonly total: number;
  readonly closed: boolean;
}

export const counter = defineStream({
  category: 'counter',
  events: counterEvents,
  initial: { total: 0, closed: false } as CounterState,
  evolve(state, event): CounterState {
    switch (event.type) {
      case 'Counted':
        return { ...state, total: state.total + event.data.by };
      case 'CounterClosed':
        return { ...state, closed: true };
    }
  },
});

/** The same streams, as if they grew without end. */
export const longCounter: typeof counter = {
  ...counter,
  snapshots: {
    version: 1,
    every: 3,
    state: Type.Object({ total: Type.Integer(), closed: Type.Boolean() }),
  },
};

export const codec = createEventCodec([counter, idempotencyKey, snapshot]);

export const clock: Clock = { now: () => new Date('2026-05-04T10:00:00.000Z') };

export function executorOn(store: EventStore, options: ExecutorOptions = {}) {
  return createExecutor(store, codec, clock, options);
}

export function causeOf(commandId = randomId()): Cause {
  return {
    commandId,
    inputHash: 'hash',
    correlationId: 'request',
    causationId: commandId,
    actor: 'somebody',
  };
}
