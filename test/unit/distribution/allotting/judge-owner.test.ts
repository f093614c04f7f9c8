import {
  FEATURE_PROGRAM,
  LOADER_V1,
  LOADER_V2,
  LOADER_V4,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { judgeOwner } from '../../../../src/distribution/allotting/judge-owner.ts';

test.each([
  ['nothing', undefined, 'absent'],
  ['a wallet, or a nonce account', SYSTEM_PROGRAM, 'wallet'],
  ['a program of the first loader', LOADER_V1, 'program'],
  ['a program of the second loader', LOADER_V2, 'program'],
  ['a program that can be upgraded, its code, or a buffer', UPGRADEABLE_LOADER, 'program'],
  ['a program of the fourth loader', LOADER_V4, 'program'],
  ['a program of the runtime, or a precompile', NATIVE_LOADER, 'program'],
  ['a feature gate', FEATURE_PROGRAM, 'program'],
  ['a sysvar', SYSVAR_OWNER, 'sysvar'],
  ['a token account, a mint or a multisig', TOKEN_PROGRAM, 'program-owned'],
  ['one of Token-2022', TOKEN_2022_PROGRAM, 'program-owned'],
  ['a stake account', 'Stake11111111111111111111111111111111111111', 'program-owned'],
  ['an account of a third program', 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'program-owned'],
] as const)('where there is %s, it is judged by who owns it', (_what, owner, verdict) => {
  expect(judgeOwner(owner && { owner })).toBe(verdict);
});
