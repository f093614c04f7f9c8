/** Keys of programs, sysvars and mints in the chain's rules, as bytes for comparison with accounts. */
import * as wire from 'levy-solana-wire';

const { addressBytes } = wire;

export const programKeys = {
  system: addressBytes(wire.SYSTEM_PROGRAM),
  computeBudget: addressBytes(wire.COMPUTE_BUDGET_PROGRAM),
  lookupTable: addressBytes(wire.LOOKUP_TABLE_PROGRAM),
  upgradeableLoader: addressBytes(wire.UPGRADEABLE_LOADER),
  nativeLoader: addressBytes(wire.NATIVE_LOADER),
  token2022: addressBytes(wire.TOKEN_2022_PROGRAM),
  sysvarOwner: addressBytes(wire.SYSVAR_OWNER),
  slotHashes: addressBytes(wire.SLOT_HASHES_SYSVAR),
  nativeMint: addressBytes(wire.NATIVE_MINT),
  nativeMint2022: addressBytes(wire.NATIVE_MINT_2022),
};

/** Programs of the runtime itself: an instruction to one of them reserves 3,000 compute units, to other programs 200,000. */
export const BUILTIN_PROGRAMS = [
  wire.SYSTEM_PROGRAM,
  wire.COMPUTE_BUDGET_PROGRAM,
  wire.VOTE_PROGRAM,
  wire.LOADER_V1,
  wire.LOADER_V2,
  wire.UPGRADEABLE_LOADER,
  wire.LOADER_V4,
  wire.ED25519_PROGRAM,
  wire.SECP256K1_PROGRAM,
].map(addressBytes);

/** Programs that verify signatures; each of those signatures costs as much as a signature of the transaction. */
export const SIGNATURE_VERIFIERS = [wire.ED25519_PROGRAM, wire.SECP256K1_PROGRAM, wire.SECP256R1_PROGRAM].map(
  addressBytes,
);

/** Owners of accounts that the runtime creates, and that no ledger contains. */
export const RUNTIME_OWNERS = [
  wire.NATIVE_LOADER,
  wire.SYSVAR_OWNER,
  wire.LOADER_V1,
  wire.LOADER_V2,
  wire.UPGRADEABLE_LOADER,
  wire.FEATURE_PROGRAM,
].map(addressBytes);
