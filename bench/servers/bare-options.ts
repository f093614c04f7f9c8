/** Options of the process `bare.ts`: its responses. */

export interface BareOptions {
  readonly featured: object;
  readonly settings: object;
}
