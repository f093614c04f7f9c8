/** What a comparison can vary about the service in `open-levy.ts`, which runs in a process of its own. */

export interface LevyOptions {
  readonly folder: string;
  /** `sqlite` when absent. */
  readonly store?: 'sqlite' | 'sqlite, a commit each' | 'emmett';
  /** A database in MongoDB that has the read models; in the folder when absent. */
  readonly readModelUrl?: string;
  readonly tokens?: {
    /** A private JWK. */
    readonly signingKey: string;
  };
  /** Every call is counted, and no quota is ever used up. Nothing is limited when absent. */
  readonly rateLimits?: 'never used up';
  /** Nothing is counted or timed. */
  readonly metrics?: 'none';
}

export const TOKEN_ISSUER = 'levy';
