/** The addresses of programs and sysvars that have a part in the rules of the chain. */
import { parseAddress } from './bytes.ts';

function address(text: string): Uint8Array {
  const bytes = parseAddress(text);
  if (bytes === undefined) throw new Error(`not an address: ${text}`);
  return bytes;
}

export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const NATIVE_MINT = address('So11111111111111111111111111111111111111112');
export const NATIVE_MINT_2022 = address('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9');
export const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111');
export const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
export const SLOT_HASHES_SYSVAR = address('SysvarS1otHashes111111111111111111111111111');
/** Owns every sysvar. */
export const SYSVARS = address('Sysvar1111111111111111111111111111111111111');
/** Owns the programs of the runtime itself. */
export const NATIVE_LOADER = address('NativeLoader1111111111111111111111111111111');
export const ED25519_PROGRAM = address('Ed25519SigVerify111111111111111111111111111');
export const SECP256K1_PROGRAM = address('KeccakSecp256k11111111111111111111111111111');
export const SECP256R1_PROGRAM = address('Secp256r1SigVerify1111111111111111111111111');

/** Programs of the runtime itself: an instruction to one reserves 3,000 compute units, to any other 200,000. */
export const BUILTIN_PROGRAMS = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  address('Vote111111111111111111111111111111111111111'),
  address('BPFLoader1111111111111111111111111111111111'),
  address('BPFLoader2111111111111111111111111111111111'),
  UPGRADEABLE_LOADER,
  address('LoaderV411111111111111111111111111111111111'),
  ED25519_PROGRAM,
  SECP256K1_PROGRAM,
];

/** Owners of accounts that the runtime makes itself, which are in no ledger. */
export const RUNTIME_OWNERS = [
  NATIVE_LOADER,
  SYSVARS,
  address('BPFLoader1111111111111111111111111111111111'),
  address('BPFLoader2111111111111111111111111111111111'),
  UPGRADEABLE_LOADER,
  address('Feature111111111111111111111111111111111111'),
];
