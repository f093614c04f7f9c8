/** Messages between the chain's process and its parent: JSON in its one argument, and its reports. */
import type { ChainOptions } from './chain.ts';

export interface ChildArguments extends Omit<ChainOptions, 'report'> {
  readonly port: number;
}

export type ChildMessage =
  /** No call is answered from now on, until it is released. */
  | { readonly kind: 'held' }
  | { readonly kind: 'listening'; readonly port: number }
  /** It could not start, and exits. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The copy that was asked for is there, or the reason why not. */
  | { readonly kind: 'copied'; readonly target: string; readonly reason?: string };

export type ParentMessage =
  | { readonly kind: 'stop' }
  /** Each hold needs one release. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  /** Asks for a copy of all data in a new file. */
  | { readonly kind: 'copy'; readonly target: string };

export function isChildMessage(message: unknown): message is ChildMessage {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
