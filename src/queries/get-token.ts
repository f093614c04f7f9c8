/** Everything public about one token. A hidden token is found by its creator only. */

import { Type } from '@sinclair/typebox';
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributions } from '../projections/distributions.ts';
import { tokens } from '../projections/tokens.ts';
import { rejection } from '../streams/rejections.ts';
import { Address } from '../streams/values.ts';
import { haltOfAll } from '../views/distribution-access.ts';
import { nextRunAt } from '../views/distribution-outlook.ts';
import { tokenIdOf } from '../views/token-access.ts';
import { TokenDetail } from '../views/token-views.ts';
import { pendingTransferFeeView } from '../views/transfer-fee-view.ts';

export const getToken = queriesFor<RuntimeServices>()({
  name: 'GetToken',
  summary: 'Get a token',
  description:
    'Everything public about a token. A token that operators hide is shown only to its creator, signed in.',
  route: { method: 'GET', url: '/tokens/:mintAddress', auth: 'optional' },
  input: {
    params: Type.Object({
      mintAddress: Type.String({
        maxLength: 100,
        description: "The token's mint address, or its id.",
        examples: Address.examples,
      }),
    }),
  },
  output: Type.Object({ token: TokenDetail }),
  rejections: ['TOKEN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params: { mintAddress } }, { services: { readModel, clock }, call: { actor } }) {
    const found = await readModel.get(tokens, tokenIdOf(mintAddress));
    if (found === undefined || (found.hidden && found.creator !== actor)) {
      throw rejection('TOKEN_NOT_FOUND', 'There is no token with this mint address.');
    }
    const { transferFeeAdjustable: _adjustable, pendingTransferFee, hidden, ...token } = found;
    return {
      token: {
        ...token,
        ...pendingTransferFeeView(pendingTransferFee),
        ...(await distributionOf(readModel, found.id, clock.now())),
        ...(hidden ? { hidden: true as const } : {}),
      },
    };
  },
});

/** Nothing while these read models are still being built: the token is shown without. */
async function distributionOf(readModel: ReadModel, tokenId: string, now: Date) {
  try {
    const found = await readModel.get(distributions, tokenId);
    if (found === undefined) return {};
    const { signature, rewardToken, lastClosedAt } = found;
    const next = nextRunAt(found, await haltOfAll(readModel), now);
    return {
      signature,
      rewardToken,
      ...(lastClosedAt === null ? {} : { lastDistributionAt: lastClosedAt }),
      ...(next === null ? {} : { nextDistributionAt: next }),
    };
  } catch (error) {
    if (error instanceof CollectionNotLive) return {};
    throw error;
  }
}
