/** Rate limit policies: calls per window, and how callers are counted. */
import type { NamedKey } from '../../auth/key-holders.ts';

export interface RateLimitPolicy {
  /** Calls allowed in a window. */
  quota: number;
  windowSeconds: number;
  /**
   * `wallet-and-ip` counts both, and the one with fewer calls left decides: creating wallets is free, so on costly
   * routes a new wallet must not bring a new quota. `wallet-or-ip` counts signed-in callers by wallet, other callers by
   * address. `ip` counts by address only.
   */
  countedBy: 'wallet-and-ip' | 'wallet-or-ip' | 'ip';
}

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;

export const RATE_LIMIT_POLICIES = {
  general: { quota: 100, windowSeconds: QUARTER_HOUR, countedBy: 'wallet-or-ip' },
  // The wallet in the body is not proved yet: counting by it would let anybody lock out anybody else.
  'sign-in': { quota: 20, windowSeconds: MINUTE, countedBy: 'ip' },
  'generate-wallet': { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-or-ip' },
  'create-unsigned': { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  submit: { quota: 30, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  upload: { quota: 20, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  settings: { quota: 10, windowSeconds: HOUR, countedBy: 'wallet-or-ip' },
  preview: { quota: 6, windowSeconds: HOUR, countedBy: 'wallet-or-ip' },
  featured: { quota: 5, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  launch: { quota: 10, windowSeconds: HOUR, countedBy: 'wallet-and-ip' },
  // The wallets that receive funds are free to create.
  faucet: { quota: 120, windowSeconds: HOUR, countedBy: 'ip' },
  // Count different wrong keys, and the repetitions of each: see `key-gate.ts`. The window is short, because valid keys
  // wait too.
  operator: { quota: 10, windowSeconds: MINUTE, countedBy: 'ip' },
  partner: { quota: 10, windowSeconds: MINUTE, countedBy: 'ip' },
  transactions: { quota: 600, windowSeconds: QUARTER_HOUR, countedBy: 'wallet-or-ip' },
} as const satisfies Record<string, RateLimitPolicy>;

export type RateLimitPolicyName = keyof typeof RATE_LIMIT_POLICIES;

export type RateLimitPolicies = Readonly<Record<RateLimitPolicyName, RateLimitPolicy>>;

/** Part of a policy that the configuration may change. */
export type Quota = Readonly<Pick<RateLimitPolicy, 'quota' | 'windowSeconds'>>;

export type Quotas = { readonly [name in RateLimitPolicyName]?: Quota };

export function isPolicyName(name: string): name is RateLimitPolicyName {
  return Object.hasOwn(RATE_LIMIT_POLICIES, name);
}

/** Caller whose calls are counted by partner instead of by address. */
export interface Partner extends NamedKey {
  /** Quotas by policy; other policies use the general quotas. */
  readonly quotas: Quotas;
}

/**
 * Default quotas of a partner, for a backend that calls for some hundred creators and signs them in. Policies that
 * count only the signed-in wallet are not changed.
 */
export const RECOMMENDED_PARTNER_QUOTAS = {
  general: { quota: 10_000, windowSeconds: QUARTER_HOUR },
  'sign-in': { quota: 600, windowSeconds: MINUTE },
  'generate-wallet': { quota: 1_000, windowSeconds: HOUR },
  'create-unsigned': { quota: 1_000, windowSeconds: HOUR },
  submit: { quota: 1_000, windowSeconds: HOUR },
  upload: { quota: 1_000, windowSeconds: HOUR },
  settings: { quota: 1_000, windowSeconds: HOUR },
  featured: { quota: 200, windowSeconds: HOUR },
  launch: { quota: 200, windowSeconds: HOUR },
} as const satisfies Quotas;

/** Policies that count a partner's calls: all except the policies for wrong keys. */
export const PARTNER_POLICIES = (Object.keys(RATE_LIMIT_POLICIES) as RateLimitPolicyName[]).filter(
  (name) => name !== 'operator' && name !== 'partner',
);

export function isPartnersPolicy(name: string): boolean {
  return PARTNER_POLICIES.some((policy) => policy === name);
}

/** Quotas as responses and events contain them. */
export function quotasView(quotas: Quotas) {
  return Object.entries(quotas).map(([policy, { quota, windowSeconds }]) => ({
    policy,
    calls: quota,
    windowSeconds,
  }));
}

/** Policies with the given quotas. */
export function policiesWith(quotas: Quotas): RateLimitPolicies {
  const policies: Record<RateLimitPolicyName, RateLimitPolicy> = { ...RATE_LIMIT_POLICIES };
  for (const [name, quota] of Object.entries(quotas)) {
    if (isPolicyName(name)) policies[name] = { ...policies[name], ...quota };
  }
  return policies;
}
