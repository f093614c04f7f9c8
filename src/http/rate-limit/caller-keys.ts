/** Under which names a caller is counted. */
import { isIPv4, isIPv6 } from 'node:net';
import type { RateLimitPolicy } from './policies.ts';

/**
 * The network that an address is counted as: an IPv4 address itself, also where it arrives mapped into IPv6, and an IPv6 address as its
 * /64, since that is what one household or server gets. Anything else (a test's socket name) is counted as it stands; all whose
 * connection is closed already, so that nobody knows where it came from, are counted as one.
 */
export function ipKey(address: string | undefined): string {
  if (address === undefined) return 'ip:unknown';
  const plain = address.split('%', 1)[0] ?? address;
  if (isIPv4(plain)) return `ip:${plain}`;
  if (!isIPv6(plain)) return `ip:${address.slice(0, 64)}`;
  const groups = expandIPv6(plain);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return `ip:${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `ip:${network.join(':')}::/64`;
}

export function walletKey(address: string): string {
  return `wallet:${address}`;
}

/** The keys to count for one call. `wallet` is the proved wallet of a signed-in caller, never one that the caller only claims. */
export function callerKeys(
  policy: RateLimitPolicy,
  caller: { ip: string | undefined; wallet?: string | undefined },
): string[] {
  const { ip, wallet } = caller;
  if (wallet === undefined || policy.countedBy === 'ip') return [ipKey(ip)];
  return policy.countedBy === 'wallet-and-ip' ? [walletKey(wallet), ipKey(ip)] : [walletKey(wallet)];
}

/** The eight groups of an address that `isIPv6` accepts. */
function expandIPv6(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const before = groupsOf(head);
  if (tail === undefined) return before;
  const after = groupsOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
