/**
 * The service as a process that kills itself: `KILL_AT` is `before` or `after`, a colon and an event type; SIGKILL comes
 * when the first such event is about to be appended, or directly after it was.
 */
import { pino } from 'pino';
import type { EventStore } from '../../src/ports/event-store.ts';

const [moment, type] = (process.env.KILL_AT ?? '').split(':');

function killing(store: EventStore): EventStore {
  return {
    ...store,
    async append(stream, expected, events) {
      const isTheOne = events.some((event) => event.type === type);
      if (isTheOne && moment === 'before') process.kill(process.pid, 'SIGKILL');
      const result = await store.append(stream, expected, events);
      if (isTheOne && result.outcome === 'appended') process.kill(process.pid, 'SIGKILL');
      return result;
    },
  };
}

// What is compiled, as an operator runs it: only this file is not, so the chain's process needs no loader.
process.execArgv.length = 0;
const compiled = (file: string) => new URL(`../../dist/${file}`, import.meta.url).href;
const { openService }: typeof import('../../src/app.ts') = await import(compiled('app.js'));
const { readConfiguration }: typeof import('../../src/config.ts') = await import(compiled('config.js'));
const service = await openService({
  configuration: readConfiguration(process.env),
  log: pino({ level: 'warn' }, pino.destination(2)),
  decorateStore: killing,
});
process.stdout.write(`listening on ${service.address}\nlocal chain on ${service.localChainUrl}\n`);
