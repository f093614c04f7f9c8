/** What the process of `bare.ts` is told to answer. */

export interface BareOptions {
  readonly featured: object;
  readonly settings: object;
}
