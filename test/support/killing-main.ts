/**
 * The service as a process that kills itself: `KILL_AT` is `before`, `after` or `soon`, a colon and an event type; SIGKILL
 * comes when the first such event is about to be appended, directly after it was, or `KILL_DELAY` milliseconds later. A
 * further colon and a purpose restrict it to the events with that purpose.
 */
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { runDecorated } from './decorated-main.ts';

const [moment, type, purpose] = (process.env.KILL_AT ?? '').split(':');
const delay = Number(process.env.KILL_DELAY ?? '0');
const die = () => process.kill(process.pid, 'SIGKILL');

await runDecorated((store) =>
  withMethods(store, {
    async append(stream, expected, events) {
      const isTheOne = events.some(
        (event) => event.type === type && (purpose === undefined || event.data.purpose === purpose),
      );
      if (isTheOne && moment === 'before') die();
      const result = await store.append(stream, expected, events);
      if (isTheOne && result.outcome === 'appended') {
        if (moment === 'soon') setTimeout(die, delay);
        else die();
      }
      return result;
    },
  }),
);
