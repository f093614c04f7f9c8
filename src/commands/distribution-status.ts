/** Common parts of the operators' commands about a token's distribution. */

import { type Static, Type } from '@sinclair/typebox';
import type { Executor } from '../kernel/runtime/execute.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { type DistributionState, HaltCode } from '../streams/distribution.ts';
import { rejection } from '../streams/rejections.ts';
import { type TokenState, token } from '../streams/token.ts';
import { orNull } from '../streams/value-types.ts';
import { TokenReference, tokenIdOf } from '../views/token-access.ts';
import { Reason } from './operator-reason.ts';

export const DistributionParams = Type.Object({ tokenId: TokenReference });

export const ReasonBody = Type.Object({ reason: Reason }, { additionalProperties: false });

interface OnToken {
  readonly params: Static<typeof DistributionParams>;
}

export function distributionIn({ params }: OnToken): string {
  return tokenIdOf(params.tokenId);
}

/** Returns the token; throws `TOKEN_NOT_FOUND` if it does not exist, or no longer exists. */
export async function requireTokenOf(
  input: OnToken,
  executor: Pick<Executor, 'load'>,
): Promise<NonNullable<TokenState>> {
  const { state } = await executor.load(token, distributionIn(input));
  if (state?.exists) return state;
  throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
}

const example = {
  tokenId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8',
  openRunId: null,
  requested: false,
  requestReason: null,
  halted: { code: 'OPERATOR', reason: 'The node and its witness disagree.' },
};

export const DistributionStatus = Type.Object(
  {
    tokenId: Uuid,
    openRunId: orNull(Uuid),
    requested: Type.Boolean({ description: 'True if a run was requested and is not open yet.' }),
    requestReason: orNull(Type.String(), {
      description: 'Reason of the first request since the last run was opened.',
    }),
    halted: orNull(Type.Object({ code: HaltCode, reason: Type.String() })),
  },
  { title: 'DistributionStatus', examples: [example] },
);

export function statusOf(state: DistributionState, input: OnToken): Static<typeof DistributionStatus> {
  return {
    tokenId: distributionIn(input),
    openRunId: state.open?.runId ?? null,
    requested: state.requested !== undefined,
    requestReason: state.requested ?? null,
    halted: state.halted ?? null,
  };
}
