/** Refuses a developer wallet that cannot spend its payments. A run checks the address again before it pays. */
import { PROGRAM_OWNERS, SYSVAR_OWNER, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { type Keyring, serviceAddresses } from '../chain/keys.ts';
import { parseAddress } from '../chain/wallet-key.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import { rejection } from '../streams/rejections.ts';
import { isReserved } from './distribution-input.ts';

const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Returns why the address cannot be paid; undefined for a wallet, for a vault, and while the chain is unavailable. */
export async function unpayableReason(
  { chain, keyring }: { readonly chain: Pick<Chain, 'accounts'>; readonly keyring: Keyring },
  address: string,
): Promise<string | undefined> {
  if (parseAddress(address) === undefined || isReserved(address)) return undefined;
  if (serviceAddresses(keyring).includes(address)) return 'must not be an address of this service';
  try {
    const [account] = await chain.accounts([address], 'confirmed');
    if (account === undefined) return undefined;
    if (account.owner === SYSVAR_OWNER || PROGRAM_OWNERS.includes(account.owner))
      return 'must not be a program or a sysvar';
    if (TOKEN_PROGRAMS.includes(account.owner)) return 'must be a wallet, not a mint or a token account';
    return undefined;
  } catch (error) {
    if (error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid) return undefined;
    throw error;
  }
}

/** Throws `INVALID_ADDRESS` with the reason, and for the token's own addresses. */
export function requirePayableDeveloper(
  developerWallet: string,
  { mintAddress, distributionWallet }: Pick<TokenCreation, 'mintAddress' | 'distributionWallet'>,
  reason: string | undefined,
): void {
  const isOwn = developerWallet === mintAddress || developerWallet === distributionWallet;
  const message = isOwn ? "must not be the token's mint or its distribution wallet" : reason;
  if (message === undefined) return;
  throw rejection(
    'INVALID_ADDRESS',
    `developerWallet is ${developerWallet}, an address that cannot be paid.`,
    {
      details: [{ path: ['developerWallet'], message }],
    },
  );
}
