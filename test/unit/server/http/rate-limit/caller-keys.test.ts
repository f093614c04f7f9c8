/** Under which names a caller is counted. */
import { describe, expect, test } from 'vitest';
import type { CountedKey } from '../../../../../src/kernel/runtime/concurrency-limit.ts';
import {
  callerKeys,
  networkOf,
  networksOf,
  partnerKey,
  widestNetworkOf,
} from '../../../../../src/server/http/rate-limit/caller-keys.ts';
import { RATE_LIMIT_POLICIES } from '../../../../../src/server/http/rate-limit/policies.ts';

describe('an address is counted', () => {
  test.each([
    ['203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['::FFFF:cb00:7109', 'ip:203.0.113.9'],
    ['203.0.113.9:40000', 'ip:203.0.113.9'],
    ['"203.0.113.9:443"', 'ip:203.0.113.9'],
    ['[::ffff:203.0.113.9]:8080', 'ip:203.0.113.9'],
    ['64:ff9b::203.0.113.9', 'ip:203.0.113.9'],
    ['2001:DB8:1:2::ffff', 'ip:2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:0000:0000:0000:0001', 'ip:2001:db8:1:2::/64'],
    ['[2001:db8:1:2::5]:40000', 'ip:2001:db8:1:2::/64'],
    ['"[2001:db8:1:2::5]:40001"', 'ip:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'ip:fe80::/64'],
    ['[fe80::1%25eth0]:1', 'ip:fe80::/64'],
  ])('%s as %s', (address, key) => {
    expect(networksOf(address)[0]).toEqual({ name: key, times: 1 });
    expect(networkOf(address)).toBe(key);
  });

  test('in IPv6 by its /56 and its /48 as well, which have more', () => {
    expect(networksOf('[2001:db8:1:ab12::5]:40000')).toEqual([
      { name: 'ip:2001:db8:1:ab12::/64', times: 1 },
      { name: 'ip:2001:db8:1:ab00::/56', times: 4 },
      { name: 'ip:2001:db8:1::/48', times: 16 },
    ]);
    expect(widestNetworkOf('2001:db8:1:ab12::5')).toBe('ip:2001:db8:1::/48');
    expect(widestNetworkOf('203.0.113.9:9')).toBe('ip:203.0.113.9');
  });

  // An invented identifier must not bring a fresh quota.
  test.each([
    undefined,
    '',
    'unknown',
    '203.0.113.9:400000',
    '0203.0.113.9',
    '[203.0.113.9]x',
    '2001:db8:1:2:3:4:5:6:40000',
    'x'.repeat(1_000),
  ])('with all others that cannot be read where it is %j', (address) => {
    expect([networkOf(address), widestNetworkOf(address)]).toEqual(['ip:unknown', 'ip:unknown']);
  });
});

describe('the policies', () => {
  const caller = { ip: '203.0.113.9', wallet: 'W' };
  const both = ['1 wallet:W', '1 ip:203.0.113.9'];
  const signedIn = ['1 wallet:W', '4 wallets at ip:203.0.113.9'];
  const named = (keys: readonly CountedKey[]) => keys.map(({ name, times }) => `${times} ${name}`);

  test.each([
    ['general', signedIn],
    ['sign-in', ['1 ip:203.0.113.9']],
    ['generate-wallet', signedIn],
    ['create-unsigned', both],
    ['submit', both],
    ['upload', both],
    ['settings', signedIn],
    ['preview', signedIn],
    ['featured', both],
    ['launch', both],
    ['faucet', ['1 ip:203.0.113.9']],
    ['transactions', signedIn],
  ] as const)('count a signed-in caller of %s under %j', (name, keys) => {
    expect(named(callerKeys(RATE_LIMIT_POLICIES[name], caller))).toEqual(keys);
  });

  test('count a caller who is not signed in by address, whatever the policy', () => {
    for (const policy of Object.values(RATE_LIMIT_POLICIES)) {
      expect(named(callerKeys(policy, { ip: '203.0.113.9' }))).toEqual(['1 ip:203.0.113.9']);
    }
  });

  test.each([
    ['general', ['1 wallet:W']],
    ['sign-in', ['1 partner:acme']],
    ['create-unsigned', ['1 wallet:W', '1 partner:acme']],
  ] as const)('%s counts a partner in place of the address', (name, keys) => {
    expect(named(callerKeys(RATE_LIMIT_POLICIES[name], { ...caller, partner: partnerKey('acme') }))).toEqual(
      keys,
    );
  });
});
