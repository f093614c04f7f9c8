/** Public API of the package: a local Solana chain. */
export type { OptionNames } from './chain.ts';
export type { ChildArguments, ChildMessage } from './child-messages.ts';
export {
  copyStoppedChain,
  type LocalChain,
  type LocalChainOptions,
  type LocalChainStatus,
  LocalChainUnavailable,
  openLocalChain,
} from './local-chain.ts';
export type { ProgramFile } from './program-files.ts';
