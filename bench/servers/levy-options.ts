/** Options that a comparison can vary in the service of `open-levy.ts`, which runs in a separate process. */

export interface LevyOptions {
  readonly folder: string;
  /** `sqlite` if absent. */
  readonly store?: 'sqlite' | 'sqlite, a commit each' | 'emmett';
  /** MongoDB database of the read models; if absent, they are in the folder. */
  readonly readModelUrl?: string;
  readonly tokens?: {
    /** A private JWK. */
    readonly signingKey: string;
  };
  /** Calls are counted under quotas that are never used up. If absent, nothing is limited. */
  readonly rateLimits?: 'never used up';
  /** Nothing is counted or timed. */
  readonly metrics?: 'none';
}

export const TOKEN_ISSUER = 'levy';
