/** A typed client of Levy's API. */
export { createLevyClient, type LevyClient, type LevyClientOptions, type WalletSigner } from './client.ts';
export { LevyError, type ProblemCode } from './levy-error.ts';
export type * from './schema.ts';
