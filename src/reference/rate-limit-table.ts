/** The table of rate limits, made from the policies that the service counts by. */
import {
  RATE_LIMIT_POLICIES,
  type RateLimitPolicy,
  type RateLimitPolicyName,
} from '../server/http/rate-limit/policies.ts';
import { markdownTable } from './markdown.ts';

const CALLS: { readonly [name in RateLimitPolicyName]: string } = {
  general: 'every route without a policy of its own, and every call with an invalid access token',
  'sign-in': '`/auth/*`',
  'generate-wallet': '`/tokens/generate-distribution-wallet`',
  'create-unsigned': 'drafts of tokens and of their tax',
  submit: 'submissions of every kind',
  upload: '`/tokens/upload-image`',
  settings: 'changes of distribution settings and of the owners kept out or listed in',
  preview: '`/distribution/:tokenId/preview`',
  featured: 'drafts of promotions',
  launch: 'drafts of launches',
  faucet: '`/faucet` and everything below, on the embedded chain',
  operator:
    'different wrong operator keys, and calls with the same wrong one; correct keys and calls without one are not counted',
  partner: 'different wrong partner keys, and calls with the same wrong one',
  transactions: '`/transactions` and everything below',
};

const COUNTED_BY: { readonly [key in RateLimitPolicy['countedBy']]: string } = {
  'wallet-and-ip': 'wallet and address, whichever has fewer left',
  'wallet-or-ip': 'wallet when signed in, and four times as many for all wallets of an address; else address',
  ip: 'address',
};

/** Markdown, ending with a line end. */
export function rateLimitTable(): string {
  const policies = Object.entries(RATE_LIMIT_POLICIES) as [RateLimitPolicyName, RateLimitPolicy][];
  return markdownTable(
    ['Policy', 'Calls', 'Default', 'Counted by'],
    policies.map(([name, { quota, windowSeconds, countedBy }]) => [
      `\`${name}\``,
      CALLS[name],
      `\`${quota}/${periodOf(windowSeconds)}\``,
      COUNTED_BY[countedBy],
    ]),
  );
}

function periodOf(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'h' : `${seconds / 3_600}h`;
  return seconds === 60 ? 'm' : `${seconds / 60}m`;
}
