/** Refuses wallets of the developer's part that cannot spend their payments. A run checks the addresses again before it pays. */
import { PROGRAM_OWNERS, SYSVAR_OWNER, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { type Keyring, serviceAddresses } from '../chain/keys.ts';
import { parseAddress } from '../chain/wallet-key.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { DistributionSettings } from '../streams/distribution-settings.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import { requireAddress } from '../views/address-params.ts';
import { isReserved } from './distribution-input.ts';

/** Wallet in a request body, and its field there, such as `developerWallets.0.wallet`. */
export interface NamedWallet {
  readonly field: string;
  readonly wallet: string;
}

/** Wallets in settings, or in a change of some settings. */
export function walletsOfDeveloperPart({
  developerWallet,
  developerWallets = [],
}: Pick<Partial<DistributionSettings>, 'developerWallet' | 'developerWallets'>): NamedWallet[] {
  return [
    ...(developerWallet === undefined ? [] : [{ field: 'developerWallet', wallet: developerWallet }]),
    ...developerWallets.map(({ wallet }, index) => ({
      field: `developerWallets.${index}.wallet`,
      wallet,
    })),
  ];
}

const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Throws `INVALID_ADDRESS` for invalid addresses, and for the runtime's programs and sysvars, which cannot receive payments. */
export function requireAddresses(wallets: readonly NamedWallet[]): void {
  for (const named of wallets) {
    requireAddress(named.field, named.wallet);
    if (isReserved(named.wallet))
      throw unpayableWalletRejection(named, 'must not be a program or a sysvar of the runtime');
  }
}

/** Reasons by wallet that cannot be paid. While the chain is unavailable, only the service's own addresses are recognized. */
export async function unpayableReasons(
  { chain, keyring }: { readonly chain: Pick<Chain, 'accounts'>; readonly keyring: Keyring },
  wallets: readonly NamedWallet[],
): Promise<ReadonlyMap<string, string>> {
  const own = serviceAddresses(keyring);
  const reasons = new Map<string, string>();
  const others: string[] = [];
  for (const { wallet } of wallets) {
    if (own.includes(wallet)) reasons.set(wallet, 'must not be an address of this service');
    else if (parseAddress(wallet) !== undefined) others.push(wallet);
  }
  if (others.length === 0) return reasons;
  try {
    const accounts = await chain.accounts(others, 'confirmed');
    for (const [index, wallet] of others.entries()) {
      const reason = reasonAgainst(accounts[index]?.owner);
      if (reason !== undefined) reasons.set(wallet, reason);
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  }
  return reasons;
}

/** `owner`: program that owns the account; undefined if the account does not exist. */
function reasonAgainst(owner: string | undefined): string | undefined {
  if (owner === undefined) return undefined;
  if (owner === SYSVAR_OWNER || PROGRAM_OWNERS.includes(owner)) return 'must not be a program or a sysvar';
  if (TOKEN_PROGRAMS.includes(owner)) return 'must be a wallet, not a mint or a token account';
  return undefined;
}

/** Throws `INVALID_ADDRESS` for a wallet with a reason, and for the token's own addresses. */
export function requirePayable(
  wallets: readonly NamedWallet[],
  reasons: ReadonlyMap<string, string>,
  {
    mintAddress,
    distributionWallet,
  }: Partial<Pick<TokenCreation, 'mintAddress' | 'distributionWallet'>> = {},
): void {
  for (const named of wallets) {
    const isOwn = named.wallet === mintAddress || named.wallet === distributionWallet;
    const reason = isOwn
      ? "must not be the token's mint or its distribution wallet"
      : reasons.get(named.wallet);
    if (reason !== undefined) throw unpayableWalletRejection(named, reason);
  }
}

/** Throws `VALIDATION_FAILED` if a wallet is listed twice, or if the shares exceed the developer's part. */
export function requireSharesWithin100({
  developerWallets = [],
  partnerShare,
}: Pick<DistributionSettings, 'developerWallets' | 'partnerShare'>): void {
  const wallets = developerWallets.map(({ wallet }) => wallet);
  const repeated = wallets.findIndex((wallet, index) => wallets.indexOf(wallet) < index);
  const sum = developerWallets.reduce((total, { basisPoints }) => total + basisPoints, 0);
  const most = 10_000 - (partnerShare?.basisPoints ?? 0);
  const cause =
    partnerShare === undefined ? '' : `, because the partner's share is ${partnerShare.basisPoints}`;
  const message =
    repeated !== -1
      ? `must not list ${wallets[repeated]} twice`
      : sum > most
        ? `must have at most ${most} basis points together${cause}`
        : undefined;
  if (message === undefined) return;
  throw invalidFieldRejection('developerWallets', message, `developerWallets ${message}.`);
}

function unpayableWalletRejection({ field, wallet }: NamedWallet, rule: string): Rejection {
  const message = `${field} is ${wallet}, an address that cannot be paid.`;
  return invalidFieldRejection(field, rule, message, 'INVALID_ADDRESS');
}
