/** Names the keys under which a caller's requests are counted. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { RateLimitPolicy } from './policies.ts';

/**
 * An IPv4 address is counted as itself, also when it is mapped into IPv6. An IPv6 address is counted as its /64, which is what one
 * household or server gets. Anything else (a test's socket name) is counted as it stands. Requests whose connection is already closed
 * have no address and are counted together.
 */
export function ipKey(address: string | undefined): string {
  if (address === undefined) return 'ip:unknown';
  const plain = address.split('%', 1)[0] ?? address;
  if (isIPv4(plain)) return `ip:${plain}`;
  if (!isIPv6(plain)) return `ip:${address.slice(0, 64)}`;
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return `ip:${parsed.toIPv4Address()}`;
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `ip:${network.join(':')}::/64`;
}

function walletKey(address: string): string {
  return `wallet:${address}`;
}

export function partnerKey(name: string): string {
  return `partner:${name}`;
}

/** The source that shares places and turns: the partner, or the network of the caller's address. */
export function sourceOf({ partner, ip }: Pick<FastifyRequest, 'partner' | 'ip'>): string {
  return partner === undefined ? ipKey(ip) : partnerKey(partner.name);
}

/**
 * The keys of one call. `wallet` is the proved wallet of a signed-in caller, never one that the caller only claims; `partner`
 * is the name of the proved partner, which is counted in place of the address.
 */
export function callerKeys(
  policy: RateLimitPolicy,
  caller: { ip: string | undefined; wallet?: string | undefined; partner?: string | undefined },
): string[] {
  const { ip, wallet, partner } = caller;
  const source = () => (partner === undefined ? ipKey(ip) : partnerKey(partner));
  if (wallet === undefined || policy.countedBy === 'ip') return [source()];
  return policy.countedBy === 'wallet-and-ip' ? [walletKey(wallet), source()] : [walletKey(wallet)];
}
