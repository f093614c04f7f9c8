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

export type RateLimitPolicies = Readonly<Record<RateLimitPolicyName, RateLimitPolicy>>;

/** What an operator may set of a policy; whom it counts stays as it is. */
export type Quota = Readonly<Pick<RateLimitPolicy, 'quota' | 'windowSeconds'>>;

export type Quotas = { readonly [name in RateLimitPolicyName]?: Quota };

export function isPolicyName(name: string): name is RateLimitPolicyName {
  return Object.hasOwn(RATE_LIMIT_POLICIES, name);
}

/** The policies, with other quotas where some are given. */
export function policiesWith(quotas: Quotas): RateLimitPolicies {
  const policies: Record<RateLimitPolicyName, RateLimitPolicy> = { ...RATE_LIMIT_POLICIES };
  for (const [name, quota] of Object.entries(quotas)) {
    if (isPolicyName(name)) policies[name] = { ...policies[name], ...quota };
  }
  return policies;
}
