/** A mint as the chain shows it, written by the libraries of the token program. */
import {
  AccountType,
  ExtensionType,
  MetadataPointerLayout,
  MintLayout,
  TransferFeeConfigLayout,
} from '@solana/spl-token';
import { pack } from '@solana/spl-token-metadata';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import type { ChainAccount } from '../../src/kernel/ports/chain.ts';

const NOBODY = PublicKey.default;
export const U64_MAX = 2n ** 64n - 1n;

export interface Fee {
  readonly epoch: bigint;
  readonly basisPoints: number;
  readonly maximum: bigint;
}

/** Fields of a mint; authorities that are left out are unset. */
export interface MintShown {
  /** Token-2022 if left out. */
  readonly program?: string;
  readonly decimals: number;
  readonly supply: bigint;
  readonly mintAuthority?: string;
  readonly freezeAuthority?: string;
  /** Undefined: the mint takes no tax. */
  readonly tax?:
    | {
        readonly older: Fee;
        readonly newer: Fee;
        readonly configAuthority?: string;
        readonly withdrawAuthority?: string;
      }
    | undefined;
  /** Undefined: the mint says nothing of where its metadata are. */
  readonly pointer?: { readonly account?: string; readonly authority?: string } | undefined;
  readonly metadata?:
    | {
        readonly mint: string;
        readonly name: string;
        readonly symbol: string;
        readonly uri: string;
        readonly updateAuthority?: string;
      }
    | undefined;
}

export function mintAccount(shown: MintShown): ChainAccount {
  const key = (address: string | undefined) => (address === undefined ? NOBODY : new PublicKey(address));
  const base = Buffer.alloc(166);
  MintLayout.encode(
    {
      mintAuthorityOption: shown.mintAuthority === undefined ? 0 : 1,
      mintAuthority: key(shown.mintAuthority),
      supply: shown.supply,
      decimals: shown.decimals,
      isInitialized: true,
      freezeAuthorityOption: shown.freezeAuthority === undefined ? 0 : 1,
      freezeAuthority: key(shown.freezeAuthority),
    },
    base,
  );
  base[165] = AccountType.Mint;
  const parts: Uint8Array[] = [base];
  const add = (type: ExtensionType, value: Uint8Array) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(value.length, 2);
    parts.push(head, value);
  };
  if (shown.tax !== undefined) {
    const { configAuthority, withdrawAuthority, older, newer } = shown.tax;
    const feeOf = ({ epoch, basisPoints, maximum }: Fee) => ({
      epoch,
      maximumFee: maximum,
      transferFeeBasisPoints: basisPoints,
    });
    const value = Buffer.alloc(TransferFeeConfigLayout.span);
    TransferFeeConfigLayout.encode(
      {
        transferFeeConfigAuthority: key(configAuthority),
        withdrawWithheldAuthority: key(withdrawAuthority),
        withheldAmount: 0n,
        olderTransferFee: feeOf(older),
        newerTransferFee: feeOf(newer),
      },
      value,
    );
    add(ExtensionType.TransferFeeConfig, value);
  }
  if (shown.pointer !== undefined) {
    const value = Buffer.alloc(MetadataPointerLayout.span);
    const { authority, account } = shown.pointer;
    MetadataPointerLayout.encode({ authority: key(authority), metadataAddress: key(account) }, value);
    add(ExtensionType.MetadataPointer, value);
  }
  if (shown.metadata !== undefined) {
    const { mint, updateAuthority, ...texts } = shown.metadata;
    const value = pack({
      ...texts,
      mint: key(mint),
      updateAuthority: key(updateAuthority),
      additionalMetadata: [],
    });
    add(ExtensionType.TokenMetadata, Uint8Array.from(value));
  }
  return { owner: shown.program ?? TOKEN_2022_PROGRAM, lamports: 1n, data: Buffer.concat(parts) };
}
