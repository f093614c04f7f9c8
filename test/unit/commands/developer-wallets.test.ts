// What speaks against an address as a developer wallet, as far as its account shows.
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { requirePayable, unpayableReasons } from '../../../src/commands/developer-wallets.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { addresses } from '../../support/domain-examples.ts';
import { KEYRING, only, TOKEN } from '../../support/run-examples.ts';

const { creator } = addresses;

const reasonFrom = async (chain: Chain, wallet: string = creator) =>
  (await unpayableReasons({ chain, keyring: KEYRING }, [{ field: 'developerWallet', wallet }])).get(wallet);

const reasonAgainst = (owner: string | undefined) => {
  const account = owner === undefined ? undefined : { owner, lamports: 1n, data: new Uint8Array() };
  return reasonFrom(only<Chain>('the chain', { accounts: async () => [account] }));
};

describe('a developer wallet', () => {
  test.each([
    ['absent', undefined],
    ['a wallet', SYSTEM_PROGRAM],
    ['a vault of a program', 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf'],
  ])('may be %s', async (_what, owner) => {
    expect(await reasonAgainst(owner)).toBeUndefined();
  });

  test.each([
    ['a program', 'BPFLoaderUpgradeab1e11111111111111111111111', 'must not be a program or a sysvar'],
    ['an old program', 'BPFLoader2111111111111111111111111111111111', 'must not be a program or a sysvar'],
    ['a sysvar', 'Sysvar1111111111111111111111111111111111111', 'must not be a program or a sysvar'],
    ['an account of wrapped SOL', TOKEN_PROGRAM, 'must be a wallet, not a mint or a token account'],
    ['a mint', TOKEN_2022_PROGRAM, 'must be a wallet, not a mint or a token account'],
  ])('is not %s', async (_what, owner, reason) => {
    expect(await reasonAgainst(owner)).toBe(reason);
  });

  test('is no address of the service, which is decided without the chain', async () => {
    const { feePayer, distributor, desk, nonceAuthority, treasury, logKey } = KEYRING;
    for (const { address } of [feePayer, distributor, desk, nonceAuthority, treasury, logKey])
      expect(await reasonFrom(only<Chain>('the chain'), address)).toBe(
        'must not be an address of this service',
      );
  });

  test.each([
    new ChainUnavailable('no route'),
    new ChainAnswerInvalid('nonsense'),
  ])('is taken while the node does not answer: a payment decides again (%s)', async (error) => {
    const chain = only<Chain>('the chain', { accounts: () => Promise.reject(error) });
    expect(await reasonFrom(chain)).toBeUndefined();
  });

  test('is judged by its own account where several are asked for, the service’s among them', async () => {
    const { feePayer } = KEYRING;
    const wallets = [creator, feePayer.address, TOKEN.mint].map((wallet) => ({ field: 'wallet', wallet }));
    const chain = only<Chain>('the chain', {
      accounts: async (asked) =>
        asked.map((address) =>
          address === creator
            ? undefined
            : { owner: TOKEN_2022_PROGRAM, lamports: 1n, data: new Uint8Array() },
        ),
    });
    expect([...(await unpayableReasons({ chain, keyring: KEYRING }, wallets))]).toEqual([
      [feePayer.address, 'must not be an address of this service'],
      [TOKEN.mint, 'must be a wallet, not a mint or a token account'],
    ]);
  });

  test.each([
    ['the mint', TOKEN.mint] as const,
    ['the distribution wallet', TOKEN.wallet.address] as const,
  ])('is not %s of its token', (_what, developerWallet) => {
    const own = { mintAddress: TOKEN.mint, distributionWallet: TOKEN.wallet.address };
    const wallets = (wallet: string) => [{ field: 'developerWallet', wallet }];
    expect(rejectionOf(() => requirePayable(wallets(developerWallet), new Map(), own))).toMatchObject({
      code: 'INVALID_ADDRESS',
      details: [
        { path: ['developerWallet'], message: "must not be the token's mint or its distribution wallet" },
      ],
    });
    expect(requirePayable(wallets(creator), new Map(), own)).toBeUndefined();
  });
});
