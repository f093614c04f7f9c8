/** Under which names a caller is counted. */
import { describe, expect, test } from 'vitest';
import { callerKeys, ipKey } from '../../../../../src/server/http/rate-limit/caller-keys.ts';
import { RATE_LIMIT_POLICIES } from '../../../../../src/server/http/rate-limit/policies.ts';

describe('an address is counted', () => {
  test.each([
    ['203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['::FFFF:cb00:7109', 'ip:203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::ffff', 'ip:2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:0000:0000:0000:0001', 'ip:2001:db8:1:2::/64'],
    ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5::', 'ip:2001:db8:1:2::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
    ['::', 'ip:0:0:0:0::/64'],
    ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', 'ip:64:ff9b:0:0::/64'],
  ])('%s as %s', (address, key) => {
    expect(ipKey(address)).toBe(key);
  });

  test('as it stands if it is none, at a bounded length', () => {
    expect(ipKey('')).toBe('ip:');
    expect(ipKey('x'.repeat(1_000))).toHaveLength(67);
  });

  test('as one of many where the connection is closed before anybody asked whose it was', () => {
    expect(ipKey(undefined)).toBe('ip:unknown');
  });
});

describe('the policies', () => {
  const caller = { ip: '203.0.113.9', wallet: 'W' };
  const both = ['wallet:W', 'ip:203.0.113.9'];

  test.each([
    ['general', ['wallet:W']],
    ['sign-in', ['ip:203.0.113.9']],
    ['generate-wallet', ['wallet:W']],
    ['create-unsigned', both],
    ['submit', both],
    ['upload', both],
    ['settings', ['wallet:W']],
    ['featured', both],
    ['launch', both],
    ['faucet', ['ip:203.0.113.9']],
    ['transactions', ['wallet:W']],
  ] as const)('count a signed-in caller of %s under %j', (name, keys) => {
    expect(callerKeys(RATE_LIMIT_POLICIES[name], caller)).toEqual(keys);
  });

  test('count a caller who is not signed in by address, whatever the policy', () => {
    for (const policy of Object.values(RATE_LIMIT_POLICIES)) {
      expect(callerKeys(policy, { ip: '203.0.113.9' })).toEqual(['ip:203.0.113.9']);
    }
  });

  test.each([
    ['general', ['wallet:W']],
    ['sign-in', ['partner:acme']],
    ['create-unsigned', ['wallet:W', 'partner:acme']],
  ] as const)('%s counts a partner in place of the address', (name, keys) => {
    expect(callerKeys(RATE_LIMIT_POLICIES[name], { ...caller, partner: 'acme' })).toEqual(keys);
  });

  test('allow what was decided', () => {
    const allowed = Object.entries(RATE_LIMIT_POLICIES).map(([name, p]) => [name, p.quota, p.windowSeconds]);
    expect(allowed).toEqual([
      ['general', 100, 900],
      ['sign-in', 20, 60],
      ['generate-wallet', 30, 3600],
      ['create-unsigned', 30, 3600],
      ['submit', 30, 3600],
      ['upload', 20, 3600],
      ['settings', 10, 3600],
      ['preview', 6, 3600],
      ['featured', 5, 3600],
      ['launch', 10, 3600],
      ['faucet', 120, 3600],
      ['operator', 10, 60],
      ['partner', 10, 60],
      ['transactions', 600, 900],
    ]);
  });
});
