/** Drafts that launch a token: the position's key signs with the creator, and the launch counts once it is final. */

import { judgeLaunch, judgePool } from '../../chain/venue/judge-launch.ts';
import { ChainAnswerInvalid } from '../../kernel/ports/chain.ts';
import { type LaunchEvent, LaunchStarted, type LaunchState, launch } from '../../streams/launch.ts';
import type { Launch } from '../../streams/purposes/token-launch.ts';
import { issuedLaunchOf } from '../../streams/recorded-launch.ts';
import { rejection } from '../../streams/rejections.ts';
import { token } from '../../streams/token.ts';
import { launchedAlreadyRejection, requireNoPool } from '../existing-pool.ts';
import type { LandedDraft, PurposeBehaviour } from './purpose-behaviour.ts';

export const tokenLaunch: PurposeBehaviour<Launch> = {
  kind: 'launch',

  traces({ creator, subject }) {
    const issued = issuedLaunchOf(subject, creator);
    return {
      addresses: [subject.poolAddress, subject.positionAddress],
      made([pool, position]) {
        const landed = judgeLaunch(issued, { pool, position });
        if (landed !== undefined) return { kind: 'yes', at: landed.activationPoint };
        // The owner may have closed the position, but pools are never removed.
        return { kind: judgePool(issued, pool) === undefined ? 'no' : 'untold' };
      },
    };
  },

  signers: (keyring, transactionId) => [keyring.position(transactionId)],

  /**
   * The service does not launch a hidden token. Its creator can still send an earlier draft, whose bytes lack only the
   * creator's signature; its landing is recorded as usual.
   */
  async claim({ subject: { tokenId } }, { executor }) {
    const { state } = await executor.load(token, tokenId);
    if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
    if (state.hidden !== undefined)
      throw rejection('TOKEN_HIDDEN', 'An operator has hidden this token; it cannot be launched.');
  },

  async refusal({ subject: { tokenId, mintAddress, poolAddress } }, parts) {
    const { state } = await parts.executor.load(launch, tokenId);
    if (state !== undefined) return launchedAlreadyRejection();
    const [pool] = await parts.chain.accounts([poolAddress], 'confirmed');
    return pool && requireNoPool(parts, mintAddress);
  },

  async record(landed, { executor, chain }, cause) {
    const { subject, creator } = landed;
    const [account] = await chain.accounts([subject.poolAddress], 'finalized');
    const pool = judgePool(issuedLaunchOf(subject, creator), account);
    // The pool existed when the launch became final, so the node lags, or its response is invalid.
    if (pool === undefined)
      throw new ChainAnswerInvalid('the chain node does not return the pool of a final launch');
    const startedAt = new Date(Number(pool.activationPoint) * 1_000).toISOString();
    await executor.execute(launch, subject.tokenId, cause, (state) =>
      decideLaunchStarted(state, landed, startedAt),
    );
  },

  async recorded({ transactionId, subject: { tokenId } }, { executor }) {
    const { events } = await executor.load(launch, tokenId, { trust: 'cached' });
    return events
      .filter((event) => event.type === 'LaunchStarted')
      .find(({ data }) => data.transactionId === transactionId);
  },
};

/** `startedAt`: activation time of the pool, ISO 8601. A token is launched once. */
export function decideLaunchStarted(
  state: LaunchState,
  { transactionId, creator, subject, landed: { signature } }: LandedDraft<Launch>,
  startedAt: string,
): readonly LaunchEvent[] {
  if (state !== undefined) return [];
  return [LaunchStarted({ transactionId, signature, creator, launch: subject, startedAt })];
}
