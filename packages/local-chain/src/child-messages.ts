/** Messages between the chain's process and its parent, and the child's only argument, which is JSON. */
import type { ChainOptions } from './chain.ts';

export interface ChildArguments extends Omit<ChainOptions, 'report'> {
  readonly port: number;
}

export type ChildMessage =
  /** Calls are paused until the release. */
  | { readonly kind: 'held' }
  | { readonly kind: 'listening'; readonly port: number }
  /** The process could not start, and exits. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The requested copy exists, or failed with a reason. */
  | { readonly kind: 'copied'; readonly target: string; readonly reason?: string };

export type ParentMessage =
  | { readonly kind: 'stop' }
  /** Each hold needs one release. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  /** Requests a copy of all data in a new file. */
  | { readonly kind: 'copy'; readonly target: string };

export function isChildMessage(message: unknown): message is ChildMessage {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
