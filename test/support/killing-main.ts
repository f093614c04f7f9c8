/**
 * The service as a process that kills itself: `KILL_AT` is `before` or `after`, a colon and an event type; SIGKILL comes
 * when the first such event is about to be appended, or directly after it was.
 */
import { withMethods } from '../../src/runtime/around-calls.ts';
import { runDecorated } from './decorated-main.ts';

const [moment, type] = (process.env.KILL_AT ?? '').split(':');

await runDecorated((store) =>
  withMethods(store, {
    async append(stream, expected, events) {
      const isTheOne = events.some((event) => event.type === type);
      if (isTheOne && moment === 'before') process.kill(process.pid, 'SIGKILL');
      const result = await store.append(stream, expected, events);
      if (isTheOne && result.outcome === 'appended') process.kill(process.pid, 'SIGKILL');
      return result;
    },
  }),
);
