/** The service as a process with other constants. */
import { runDecorated } from './decorated-main.ts';

await runDecorated((store) => store);
