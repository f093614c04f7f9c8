/** The message of a draft that is about to be recorded, and how long it can land. */
import { compileLegacyMessage } from 'levy-solana-wire';
import { compileDurableTransaction } from '../chain/durable-transaction.ts';
import { computeUnitLimitInstruction, computeUnitPriceInstruction } from '../chain/system-instructions.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { rejection } from '../streams/rejections.ts';
import type { DraftPlan, PlanContext } from './draft-plan.ts';
import type { Priced } from './price-draft.ts';
import type { DraftServices } from './services.ts';

/** The message and its lifetime, which holds a nonce account if it needs one. */
export async function withLifetime(
  { services, transactionId, creator, network, cause, lifetime: kind }: PlanContext,
  { instructions }: DraftPlan<DraftSubject>,
  { computeUnitLimit, computeUnitPrice }: Priced,
): Promise<
  Pick<IssuedDraft, 'lifetime' | 'expiresAt'> & {
    readonly message: Uint8Array;
    /** Called when the draft is not going to be recorded. */
    readonly giveBack: () => Promise<void>;
  }
> {
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
        expiresAt: new Date(services.clock.now().getTime() + services.policy.draftLifetime).toISOString(),
      };
    }
    case 'recent-blockhash': {
      const { blockhash, lastValidBlockHeight, expiresAt } = await freshBlockhash(services);
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
        expiresAt,
      };
    }
  }
}

/** `expiresAt`: ISO 8601; its last block, if no slot is skipped from now on. It may live longer. */
async function freshBlockhash({ chain, slotTime, clock }: DraftServices) {
  const [{ blockhash, lastValidBlockHeight }, { blockHeight }, slot] = await Promise.all([
    chain.recentBlockhash(),
    chain.tip('confirmed'),
    slotTime.measured(),
  ]);
  if (slot === undefined) {
    throw rejection('CHAIN_UNAVAILABLE', 'The chain node does not show how long its slots are; try again.', {
      retryAfterSeconds: 20,
    });
  }
  const milliseconds = Math.floor(Number(lastValidBlockHeight - blockHeight) * slot);
  const expiresAt = new Date(clock.now().getTime() + milliseconds).toISOString();
  return { blockhash, lastValidBlockHeight, expiresAt };
}
