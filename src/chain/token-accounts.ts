/** Decodes single mints and token accounts with spl-token. Scans decode columns instead: `tokenAccountFigures`. */

import {
  type Account,
  ExtensionType,
  getExtensionData,
  TokenError,
  TRANSFER_FEE_AMOUNT_SIZE,
  TRANSFER_FEE_CONFIG_SIZE,
  TransferFeeAmountLayout,
  TransferFeeConfigLayout,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import {
  type MintAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TransferFeeConfig,
  type TokenAccount as WireTokenAccount,
} from 'levy-solana-wire';
import type { ChainAccount } from '../kernel/ports/chain.ts';
import { publicKey } from './web3-instruction.ts';

/** Token account without its extensions, of which only `withheld` is needed. */
type TokenAccount = Omit<WireTokenAccount, 'extensions'>;

type OwnedData = Pick<ChainAccount, 'owner' | 'data'>;

const EXTENSION_TYPES = Object.values(ExtensionType).filter((type) => typeof type === 'number');

/** Undefined unless the account is an initialized mint. Never throws. */
export function readMint(account: OwnedData): MintAccount | undefined {
  const mint = unpacked(account, (info, program) => unpackMint(PublicKey.default, info, program));
  if (mint?.isInitialized !== true) return undefined;
  const { supply, decimals, mintAuthority, freezeAuthority, tlvData } = mint;
  const extensions = EXTENSION_TYPES.flatMap((type) => {
    const value = getExtensionData(type, tlvData);
    return value === null ? [] : [{ type, value }];
  });
  const taxed = extensions.find(({ type }) => type === ExtensionType.TransferFeeConfig);
  const config = taxed && readTransferFeeConfig(taxed.value);
  return {
    supply,
    decimals,
    transferFees: config && { older: config.older, newer: config.newer },
    mintAuthority: mintAuthority?.toBytes(),
    freezeAuthority: freezeAuthority?.toBytes(),
    extensions,
  };
}

/** Undefined unless the account is an initialized token account. Never throws. */
export function readTokenAccount(account: OwnedData): TokenAccount | undefined {
  const found = unpacked(account, (info, program) => unpackAccount(PublicKey.default, info, program));
  if (found?.isInitialized !== true) return undefined;
  return {
    mint: found.mint.toBytes(),
    owner: found.owner.toBytes(),
    amount: found.amount,
    delegate: found.delegate?.toBytes(),
    state: found.isFrozen ? 'frozen' : 'initialized',
    nativeReserve: found.rentExemptReserve ?? undefined,
    delegatedAmount: found.delegatedAmount,
    closeAuthority: found.closeAuthority?.toBytes(),
    withheld: withheldIn(found),
  };
}

/** Decodes the transfer-fee extension of a mint; undefined if it has another size. */
export function readTransferFeeConfig(value: Uint8Array): TransferFeeConfig | undefined {
  if (value.length !== TRANSFER_FEE_CONFIG_SIZE) return undefined;
  const config = TransferFeeConfigLayout.decode(value);
  const rate = ({ epoch, maximumFee, transferFeeBasisPoints }: typeof config.olderTransferFee) => ({
    epoch,
    maximumFee,
    basisPoints: transferFeeBasisPoints,
  });
  return {
    configAuthority: config.transferFeeConfigAuthority.toBytes(),
    withdrawAuthority: config.withdrawWithheldAuthority.toBytes(),
    withheldAmount: config.withheldAmount,
    older: rate(config.olderTransferFee),
    newer: rate(config.newerTransferFee),
  };
}

function withheldIn({ tlvData }: Account): bigint {
  const value = getExtensionData(ExtensionType.TransferFeeAmount, tlvData);
  if (value?.length !== TRANSFER_FEE_AMOUNT_SIZE) return 0n;
  return TransferFeeAmountLayout.decode(value).withheldAmount;
}

/** Undefined if spl-token does not accept the data. */
function unpacked<Unpacked>(
  { owner, data }: OwnedData,
  unpack: (info: AccountInfo<Buffer>, program: PublicKey) => Unpacked,
): Unpacked | undefined {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return undefined;
  const program = publicKey(owner);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  try {
    return unpack({ owner: program, data: bytes, lamports: 0, executable: false }, program);
  } catch (error) {
    if (error instanceof TokenError) return undefined;
    throw error;
  }
}
