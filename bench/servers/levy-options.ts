/** What a comparison can vary about the service in `levy.ts`, which is a process and therefore not to be imported. */

export interface LevyOptions {
  readonly folder: string;
  /** `sqlite` when absent. */
  readonly store?: 'sqlite' | 'sqlite, a commit each' | 'emmett';
  readonly tokens?: {
    /** A private JWK. */
    readonly signingKey: string;
    /** How many verified tokens are remembered; as in the service when absent. */
    readonly cacheCapacity?: number;
  };
}

export const TOKEN_ISSUER = 'levy';
