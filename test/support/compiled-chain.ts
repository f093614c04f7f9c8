/**
 * Lets the service and the tests in this process start local chains from the one file that `compile-chain.ts` has made: a
 * chain that compiles its own sources takes three times the work to start.
 */
import { COMPILED_CHAIN } from './compile-chain.ts';

// A chain takes the loader flags of its parent. Set up again for each file, also in a worker that several files share.
if (!process.execArgv.includes(COMPILED_CHAIN))
  process.execArgv = [...process.execArgv, '--import', COMPILED_CHAIN];
