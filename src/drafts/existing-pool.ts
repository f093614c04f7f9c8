/** Explains why a token whose only possible pool exists cannot be launched: it was launched, or someone else created the pool. */

import { judgeLaunch } from '../chain/venue/judge-launch.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { transactions } from '../projections/transactions.ts';
import type { Launch } from '../streams/purposes/token-launch.ts';
import { issuedLaunchOf } from '../streams/recorded-launch.ts';
import { rejection } from '../streams/rejections.ts';
import type { PurposeParts } from './purposes/purpose-behaviour.ts';

/** Maximum number of a token's launch drafts whose positions are checked if a pool exists. */
const DRAFTS_CHECKED = 50;

/** `LAUNCH_ALREADY_EXISTS` if a draft of the token has landed, else `POOL_ADDRESS_TAKEN`. */
export async function requireNoPool(
  { chain, readModel }: Pick<PurposeParts, 'chain' | 'readModel'>,
  mint: string,
): Promise<Rejection> {
  const drafts = await readModel.find(transactions, 'livingLaunch', mint, {
    limit: DRAFTS_CHECKED,
    descending: true,
  });
  const launches = drafts.flatMap(({ issued: { creator, subject } }) =>
    subject.kind === 'launch' ? [{ creator, subject }] : [],
  );
  return (await isOneOf(chain, launches))
    ? launchedAlreadyRejection()
    : rejection(
        'POOL_ADDRESS_TAKEN',
        'Someone else has created the only possible pool of this token on the venue; the token cannot be launched there.',
      );
}

async function isOneOf(
  chain: Chain,
  launches: readonly { readonly creator: string; readonly subject: Launch }[],
): Promise<boolean> {
  const addresses = launches.flatMap(({ subject }) => [subject.poolAddress, subject.positionAddress]);
  const accounts = await chain.accounts(addresses, 'confirmed');
  return launches.some(({ creator, subject }, index) => {
    const [pool, position] = accounts.slice(2 * index, 2 * index + 2);
    return judgeLaunch(issuedLaunchOf(subject, creator), { pool, position }) !== undefined;
  });
}

export function launchedAlreadyRejection(): Rejection {
  return rejection('LAUNCH_ALREADY_EXISTS', 'This token is already launched; see its launch status.');
}
