/** Context for `prepare` and `respond` of a command, with an executor that loads the given events. */
import type { DomainEvent } from '../../src/kernel/runtime/define-stream.ts';
import { ids } from './domain-examples.ts';

interface Loaded {
  readonly events: object;
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
}

export function contextAfter(history: readonly DomainEvent[], services: object = {}, call: object = {}) {
  async function load({ events: types, initial, evolve }: Loaded) {
    const events = history.filter(({ type }) => type in types);
    return {
      events,
      state: events.reduce((state, event) => evolve(state as never, event as never), initial),
    };
  }
  return {
    services: {
      executor: { load },
      clock: { now: () => new Date('2026-05-04T10:00:00.000Z') },
      ...services,
    },
    call: { actor: 'anonymous', requestId: 'request', ...call },
    cause: { commandId: ids.transactionId },
    observed: () => undefined,
  } as never;
}
