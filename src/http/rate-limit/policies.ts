/** The rate limits, one line each: how many calls in how long, and who is counted. */

export interface RateLimitPolicy {
  /** Calls allowed in a window. */
  quota: number;
  windowSeconds: number;
  /**
   * `wallet-and-ip` counts both, and the tighter one decides: wallets are free to make, so on costly routes one address must not get a
   * fresh quota with each. `wallet-or-ip` counts the wallet of a signed-in caller, else the address. `ip` counts the address alone.
   */
  countedBy: 'wallet-and-ip' | 'wallet-or-ip' | 'ip';
}

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;

export const RATE_LIMIT_POLICIES = {
  general: { quota: 100, windowSeconds: QUARTER_HOUR, countedBy: 'wallet-or-ip' },
  // Nobody is signed in yet, and the wallet in the body is not proved: counting by it would let anybody lock anybody out.
  'sign-in': { quota: 20, windowSeconds: MINUTE, countedBy: 'ip' },
  'generate-wallet': { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-or-ip' },
  'create-unsigned': { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  submit: { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  upload: { quota: 20, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  settings: { quota: 10, windowSeconds: HOUR, countedBy: 'wallet-or-ip' },
  featured: { quota: 5, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  launch: { quota: 10, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  // Only wrong keys are counted: see the operators' gate.
  operator: { quota: 10, windowSeconds: QUARTER_HOUR, countedBy: 'ip' },
  transactions: { quota: 600, windowSeconds: QUARTER_HOUR, countedBy: 'wallet-or-ip' },
} as const satisfies Record<string, RateLimitPolicy>;

export type RateLimitPolicyName = keyof typeof RATE_LIMIT_POLICIES;
