import * as web3 from '@solana/web3.js';
import { expect, test } from 'vitest';
import { addressBytes, RESERVED_PROGRAMS, RESERVED_SYSVARS } from '../src/index.ts';

test('every address is one, and stands in one list once', () => {
  const all = [...RESERVED_PROGRAMS, ...RESERVED_SYSVARS];
  for (const address of all) expect(addressBytes(address)).toHaveLength(32);
  expect(new Set(all).size).toBe(all.length);
});

test('the sysvars and programs that web3.js knows are among them', () => {
  const sysvars = Object.entries(web3).flatMap(([name, value]) =>
    /^SYSVAR_.*_PUBKEY$/.test(name) && value instanceof web3.PublicKey ? [value.toBase58()] : [],
  );
  expect(sysvars.length).toBeGreaterThan(7);
  expect(RESERVED_SYSVARS).toEqual(expect.arrayContaining(sysvars));
  const programs = [
    web3.SystemProgram,
    web3.VoteProgram,
    web3.AddressLookupTableProgram,
    web3.ComputeBudgetProgram,
    web3.Ed25519Program,
    web3.Secp256k1Program,
    web3.StakeProgram,
  ].map(({ programId }) => programId.toBase58());
  expect(RESERVED_PROGRAMS).toEqual(expect.arrayContaining([...programs, web3.STAKE_CONFIG_ID.toBase58()]));
});
