/** The service as a process that tells on a line of its own what it is about to append, but for its leases. */
import { writeSync } from 'node:fs';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { runDecorated } from './decorated-main.ts';

await runDecorated((store) =>
  withMethods(store, {
    append(stream, expected, events) {
      // Immediately, so that the report never follows a later action.
      writeSync(1, `appends ${events.map(({ type }) => type).join(', ')} to ${stream}\n`);
      return store.append(stream, expected, events);
    },
  }),
);
