/** What the chain's process gets from its parent, as JSON in its one argument, and what it reports back. */
import type { ChainOptions } from './chain.ts';

export interface ChildArguments extends Omit<ChainOptions, 'report'> {
  readonly port: number;
}

export type ChildMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** It could not start, and exits. */
  | { readonly kind: 'failed'; readonly reason: string };

export function isChildMessage(message: unknown): message is ChildMessage {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
