/** Traces a request's work as spans: its command, its decisions, its appends and its calls to the chain. */
import type { Chain } from '../../kernel/ports/chain.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { Tracing } from '../../kernel/ports/tracing.ts';
import type { CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { Executor } from '../../kernel/runtime/execute.ts';
import { withMethods, wrapCalls } from '../../kernel/runtime/wrap-calls.ts';

export function createTracedChain(chain: Chain, tracing: Tracing): Chain {
  return wrapCalls(chain, (method, call) =>
    tracing.within(
      `chain ${method}`,
      { kind: 'client', attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': method } },
      call,
    ),
  );
}

export function createTracedStore(store: EventStore, tracing: Tracing): EventStore {
  return withMethods(store, {
    append: (stream, expected, events) =>
      tracing.within('append', { attributes: { 'levy.events': events.length } }, async (span) => {
        const result = await store.append(stream, expected, events);
        span?.describe({ 'levy.append.outcome': result.outcome });
        return result;
      }),
  });
}

export function createTracedExecutor(executor: Executor, tracing: Tracing): Executor {
  return withMethods(executor, {
    execute: (stream, streamId, cause, decide, options) =>
      tracing.within(`decide ${stream.category}`, {}, async (span) => {
        let decisions = 0;
        const counted: typeof decide = (state, loaded) => {
          decisions += 1;
          return decide(state, loaded);
        };
        const executed = await executor.execute(stream, streamId, cause, counted, options);
        span?.describe({ 'levy.decisions': decisions, 'levy.events': executed.recorded.length });
        return executed;
      }),
  });
}

/** Recorded events contain the command's span, so that later work on them continues the same trace. */
export function createTracedRunner<Services>(
  run: CommandRunner<Services>,
  tracing: Tracing,
): CommandRunner<Services> {
  return (command, input, call) =>
    tracing.within(command.name, {}, (span) =>
      run(command, input, span === undefined ? call : { ...call, traceparent: span.traceparent }),
    );
}
