/** Keys that count a caller's requests: networks, proved wallets and partners. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { CountedKey } from '../../../kernel/runtime/concurrency-limit.ts';
import type { RateLimitPolicy } from './policies.ts';
import type { LimitedKey } from './rate-limiter.ts';

/** Multiples of the quota of an IPv6 /64 for its /56 and its /48: providers assign any of the three to one customer. */
const IPV6_NETWORKS = [
  { prefix: 64, times: 1 },
  { prefix: 56, times: 4 },
  { prefix: 48, times: 16 },
] as const;

/** Multiple of a policy's quota that an address has for all wallets that sign in from it: creating wallets is free. */
const SIGNED_IN_TIMES = 4;

/** All callers with an unknown or unreadable address share one key, so that an invented address brings no new quota. */
const UNKNOWN: readonly CountedKey[] = [{ name: 'ip:unknown', times: 1 }];

/**
 * Parses the IPv4 or IPv6 address that a socket or a proxy wrote, with or without port, brackets, quotes and zone. IPv4
 * addresses embedded in IPv6 (mapped, NAT64) are returned as IPv4. Undefined if the text contains no address.
 */
function addressIn(text: string): string | undefined {
  const unquoted = text.trim().replace(/^"(.*)"$/, '$1');
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(unquoted)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(unquoted)?.[1] ?? unquoted;
  const plain = bare.split('%', 1)[0] ?? bare;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return undefined;
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  // RFC 6052: all callers behind NAT64 share the prefix, and the last 32 bits are the caller's IPv4 address.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
  return parsed.toString();
}

/** Networks of an address, narrowest first: an IPv4 address itself, or an IPv6 address's /64, /56 and /48. */
export function networksOf(address: string | undefined): readonly CountedKey[] {
  const plain = address === undefined ? undefined : addressIn(address);
  if (plain === undefined) return UNKNOWN;
  if (isIPv4(plain)) return [{ name: `ip:${plain}`, times: 1 }];
  return IPV6_NETWORKS.map(({ prefix, times }) => ({
    name: `ip:${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${prefix}`)}/${prefix}`,
    times,
  }));
}

/** Narrowest network of an address. */
export function networkOf(address: string | undefined): string {
  return networksOf(address)[0]?.name ?? 'ip:unknown';
}

/** Widest network of an address. */
export function widestNetworkOf(address: string | undefined): string {
  return networksOf(address).at(-1)?.name ?? 'ip:unknown';
}

export function partnerKey(name: string): CountedKey {
  return { name: `partner:${name}`, times: 1 };
}

/** Networks for concurrency limits and fair queues, narrowest first; a partner counts as one network. */
export function sourcesOf({ partner, ip }: Pick<FastifyRequest, 'partner' | 'ip'>): readonly CountedKey[] {
  return partner === undefined ? networksOf(ip) : [partnerKey(partner.name)];
}

/**
 * Keys of one call. `wallet` is the proved wallet of a signed-in caller, never a claimed one; `partner` is the key of
 * the proved partner, which is counted instead of the address.
 */
export function callerKeys(
  policy: RateLimitPolicy,
  caller: { ip: string | undefined; wallet?: string | undefined; partner?: LimitedKey | undefined },
): readonly LimitedKey[] {
  const { ip, wallet, partner } = caller;
  const source = () => (partner === undefined ? networksOf(ip) : [partner]);
  if (wallet === undefined || policy.countedBy === 'ip') return source();
  const ofWallet = { name: `wallet:${wallet}`, times: 1 };
  if (policy.countedBy === 'wallet-and-ip') return [ofWallet, ...source()];
  if (partner !== undefined) return [ofWallet];
  const signedIn = networksOf(ip).map(({ name, times }) => ({
    name: `wallets at ${name}`,
    times: times * SIGNED_IN_TIMES,
  }));
  return [ofWallet, ...signedIn];
}
