/** Shares in the developer's part as text: an address and a percentage per line. */
import type { DistributionSettings } from 'levy-client';
import { percentText } from './amounts.ts';
import { addressFault } from './token-form.ts';

type Shares = NonNullable<DistributionSettings['developerWallets']>;

const LINE = /^(\S+)\s+(\d{1,3}(?:\.\d{1,2})?)\s*%?$/;

const linesIn = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function sharesText(shares: Shares = []): string {
  return shares.map(({ wallet, basisPoints }) => `${wallet} ${basisPoints / 100}`).join('\n');
}

/** Shares in one line, for lists of changes. */
export function sharesLine(shares: Shares): string {
  if (shares.length === 0) return 'none';
  return shares.map(({ wallet, basisPoints }) => `${percentText(basisPoints / 100)} ${wallet}`).join(', ');
}

/** Requires a text without a `sharesFault`. */
export function sharesOf(typed: string): Shares {
  return linesIn(typed).map((line) => {
    const [, wallet = '', percent = ''] = LINE.exec(line) ?? [];
    return { wallet, basisPoints: Math.round(Number(percent) * 100) };
  });
}

export function sharesFault(typed: string, partnerBasisPoints = 0): string | undefined {
  const lines = linesIn(typed);
  if (lines.length > 10) return 'At most ten wallets.';
  for (const [index, line] of lines.entries()) {
    const [, wallet] = LINE.exec(line) ?? [];
    if (wallet === undefined)
      return `Line ${index + 1} must have an address and a percentage, such as: <address> 25.`;
    if (addressFault(wallet) !== undefined) return `Line ${index + 1} must begin with a Solana address.`;
  }
  const shares = sharesOf(typed);
  if (shares.some(({ basisPoints }) => basisPoints === 0)) return 'Each share must be more than 0 %.';
  const sum = shares.reduce((total, { basisPoints }) => total + basisPoints, partnerBasisPoints);
  return sum > 10_000 ? 'All shares, including the launchpad’s, must be at most 100 % together.' : undefined;
}
