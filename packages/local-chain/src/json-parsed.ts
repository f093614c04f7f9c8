/** Accounts in the `jsonParsed` encoding: token accounts, mints with their extensions, and nonce accounts. */
import {
  base58,
  type Extension,
  readMint,
  readNonceAccount,
  readTokenAccount,
  sameBytes,
} from 'levy-solana-wire';
import type { Json } from './json.ts';
import { programKeys } from './program-keys.ts';
import type { ChainAccount } from './svm.ts';
import { extensionJson } from './token-extensions.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

/** Undefined if a node would not parse the account either. `decimalsOf` returns the decimals of a mint. */
export function parseAccount(
  account: ChainAccount,
  decimalsOf: (mint: Uint8Array) => number | undefined,
): Json | undefined {
  const parsed = parseToken(account, decimalsOf) ?? parseNonce(account);
  return parsed && { ...parsed, space: account.data.length };
}

interface Parsed {
  readonly program: string;
  readonly parsed: Json;
}

function parseNonce(account: ChainAccount): Parsed | undefined {
  if (!sameBytes(account.owner, programKeys.system)) return undefined;
  const nonce = readNonceAccount(account.data);
  if (nonce === undefined) return undefined;
  const info = {
    authority: base58(nonce.authority),
    blockhash: base58(nonce.value),
    feeCalculator: { lamportsPerSignature: nonce.lamportsPerSignature.toString() },
  };
  return { program: 'nonce', parsed: { type: 'initialized', info } };
}

function parseToken(
  account: ChainAccount,
  decimalsOf: (mint: Uint8Array) => number | undefined,
): Parsed | undefined {
  const program = sameBytes(account.owner, programKeys.token2022) ? 'spl-token-2022' : 'spl-token';
  const token = readTokenAccount(account);
  if (token !== undefined) {
    const decimals = decimalsOf(token.mint);
    if (decimals === undefined) return undefined;
    const info: Json = {
      mint: base58(token.mint),
      owner: base58(token.owner),
      tokenAmount: uiTokenAmount(token.amount, decimals),
      delegate: token.delegate && base58(token.delegate),
      delegatedAmount: token.delegate && uiTokenAmount(token.delegatedAmount, decimals),
      state: token.state,
      isNative: token.nativeReserve !== undefined,
      rentExemptReserve:
        token.nativeReserve === undefined ? undefined : uiTokenAmount(token.nativeReserve, decimals),
      closeAuthority: token.closeAuthority && base58(token.closeAuthority),
      extensions: extensionList(token.extensions),
    };
    return { program, parsed: { type: 'account', info } };
  }
  const mint = readMint(account);
  if (mint === undefined) return undefined;
  const info: Json = {
    mintAuthority: mint.mintAuthority === undefined ? null : base58(mint.mintAuthority),
    supply: mint.supply.toString(),
    decimals: mint.decimals,
    isInitialized: true,
    freezeAuthority: mint.freezeAuthority === undefined ? null : base58(mint.freezeAuthority),
    extensions: extensionList(mint.extensions),
  };
  return { program, parsed: { type: 'mint', info } };
}

function extensionList(extensions: readonly Extension[]): Json | undefined {
  return extensions.length === 0 ? undefined : extensions.map(extensionJson);
}
