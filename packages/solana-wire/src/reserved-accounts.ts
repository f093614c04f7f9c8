/**
 * Accounts of the runtime that no transaction may write, so payments to them fail. Equal on every cluster, even if the
 * account does not exist there: the list of `reserved-account-keys` in anza-xyz/agave, with all features enabled.
 */
import * as ids from './program-ids.ts';

/** Programs of the runtime, loaders and related accounts. */
export const RESERVED_PROGRAMS = [
  ids.SYSTEM_PROGRAM,
  ids.NATIVE_LOADER,
  ids.LOADER_V1,
  ids.LOADER_V2,
  ids.UPGRADEABLE_LOADER,
  ids.LOADER_V4,
  ids.COMPUTE_BUDGET_PROGRAM,
  ids.LOOKUP_TABLE_PROGRAM,
  ids.VOTE_PROGRAM,
  ids.FEATURE_PROGRAM,
  ids.ED25519_PROGRAM,
  ids.SECP256K1_PROGRAM,
  ids.SECP256R1_PROGRAM,
  'Config1111111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
] as const;

/** Owners of programs and related accounts: executable accounts belong to a loader, and feature gates cannot be spent. */
export const PROGRAM_OWNERS: readonly string[] = [
  ids.NATIVE_LOADER,
  ids.LOADER_V1,
  ids.LOADER_V2,
  ids.UPGRADEABLE_LOADER,
  ids.LOADER_V4,
  ids.FEATURE_PROGRAM,
];

/** Sysvars and their owner. */
export const RESERVED_SYSVARS = [
  ids.SYSVAR_OWNER,
  ids.RECENT_BLOCKHASHES_SYSVAR,
  ids.RENT_SYSVAR,
  ids.SLOT_HASHES_SYSVAR,
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
] as const;
