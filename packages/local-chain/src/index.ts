/** The embedded chain: everything that the package offers. */
export type { ChildArguments, ChildMessage } from './child-messages.ts';
export * from './local-chain.ts';
