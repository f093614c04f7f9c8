/** The message of a draft that is about to be recorded, and how long it can land. */
import { compileLegacyMessage } from 'levy-solana-wire';
import { compileDurableTransaction } from '../chain/durable-transaction.ts';
import { computeUnitLimitInstruction, computeUnitPriceInstruction } from '../chain/system-instructions.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { rejection } from '../streams/rejections.ts';
import type { DraftPlan, PlanContext, SentBy } from './draft-plan.ts';
import type { Priced } from './price-draft.ts';
import { freshBlockhash } from './refresh-draft.ts';

/** The message and its lifetime, which holds a nonce account if it needs one. */
export async function withLifetime(
  sentBy: SentBy,
  { services, transactionId, creator, network, cause, lifetime: kind }: PlanContext,
  { instructions }: DraftPlan<DraftSubject>,
  { computeUnitLimit, computeUnitPrice }: Priced,
): Promise<
  Pick<IssuedDraft, 'lifetime' | 'expiresAt' | 'bytesExpireAt'> & {
    readonly message: Uint8Array;
    /** Called when the draft is not going to be recorded. */
    readonly giveBack: () => Promise<void>;
  }
> {
  const expiringIn = (milliseconds: number) =>
    new Date(services.clock.now().getTime() + milliseconds).toISOString();
  switch (kind) {
    case 'durable-nonce': {
      const nonce = await services.nonces.lease(transactionId, cause, network);
      const { bytes } = compileDurableTransaction({
        payer: creator,
        nonceAccount: nonce.account,
        nonceAuthority: services.keyring.nonceAuthority.address,
        nonceValue: nonce.value,
        computeUnitLimit,
        computeUnitPrice,
        instructions,
      });
      return {
        message: bytes,
        giveBack: nonce.giveBack,
        lifetime: { kind, nonceAccount: nonce.account, nonceValue: nonce.value },
        expiresAt: expiringIn(services.policy.draftLifetime),
      };
    }
    case 'recent-blockhash': {
      const { blockhash, lastValidBlockHeight, bytesExpireAt } = await freshBlockhash(
        services.chain,
        services.slotTime,
        services.clock.now(),
      );
      if (sentBy === 'client' && bytesExpireAt === undefined) {
        throw rejection(
          'CHAIN_UNAVAILABLE',
          'The chain node does not show how long its slots are; try again.',
          { retryAfterSeconds: 20 },
        );
      }
      const { bytes } = compileLegacyMessage({
        payer: creator,
        instructions: [
          computeUnitLimitInstruction(computeUnitLimit),
          computeUnitPriceInstruction(computeUnitPrice),
          ...instructions,
        ],
        recentBlockhash: blockhash,
      });
      return {
        message: bytes,
        giveBack: async () => {},
        lifetime: { kind, blockhash, lastValidBlockHeight: lastValidBlockHeight.toString() },
        ...(sentBy === 'client' && bytesExpireAt !== undefined
          ? { expiresAt: bytesExpireAt }
          : {
              expiresAt: expiringIn(services.policy.draftLifetime),
              ...(bytesExpireAt !== undefined && { bytesExpireAt }),
            }),
      };
    }
  }
}
