/** What the chain's process tells its parent. */

export type ChildMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** It could not start, and ends now. */
  | { readonly kind: 'failed'; readonly reason: string };

export function isChildMessage(message: unknown): message is ChildMessage {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
