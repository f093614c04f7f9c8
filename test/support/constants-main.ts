/** The service as a process with other constants, which TEST_CONSTANTS has in JSON. */
import { runDecorated } from './decorated-main.ts';

await runDecorated((store) => store, JSON.parse(process.env.TEST_CONSTANTS ?? '{}'));
