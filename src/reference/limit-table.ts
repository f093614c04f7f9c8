/** The README's table of rate limits, made from the policies that the service counts by. */

import {
  RATE_LIMIT_POLICIES,
  type RateLimitPolicy,
  type RateLimitPolicyName,
} from '../http/rate-limit/policies.ts';
import { markdownTable, withSection } from './markdown.ts';

const CALLS: { readonly [name in RateLimitPolicyName]: string } = {
  general: 'everything that has no line of its own, and every call with a bad access token',
  'sign-in': '`/auth/*`',
  'generate-wallet': '`/tokens/generate-distribution-wallet`',
  'create-unsigned': 'drafts of tokens and of their tax',
  submit: 'submissions of every kind',
  upload: '`/tokens/upload-image`',
  settings: 'changes of settings',
  featured: 'drafts of promotions',
  launch: 'drafts of launches',
  operator: 'calls with a wrong operator key; right ones are not counted',
  transactions: '`/transactions/:transactionId`',
};

const COUNTED_BY: { readonly [key in RateLimitPolicy['countedBy']]: string } = {
  'wallet-and-ip': 'wallet and address, whichever has fewer left',
  'wallet-or-ip': 'wallet when signed in, else address',
  ip: 'address',
};

/** Markdown, ending with a line end. */
export function limitTable(): string {
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

/** The document with the table between its two markers brought up to date. Throws if the markers are not there. */
export function withLimitTable(markdown: string): string {
  return withSection(markdown, 'limits', limitTable());
}

function periodOf(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'h' : `${seconds / 3_600}h`;
  return seconds === 60 ? 'm' : `${seconds / 60}m`;
}
