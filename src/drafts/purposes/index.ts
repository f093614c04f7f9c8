/** Every purpose of a draft: one line each. */
import type { Purpose } from '../../streams/draft-subjects.ts';
import type { PurposeDefinition } from './define-purpose.ts';
import { promotionPurchase } from './promotion-purchase.ts';
import { tokenCreation } from './token-creation.ts';
import { tokenLaunch } from './token-launch.ts';
import { transferFeeChange } from './transfer-fee-change.ts';

export const purposes: readonly PurposeDefinition[] = [
  promotionPurchase,
  tokenCreation,
  tokenLaunch,
  transferFeeChange,
];

const byKind: ReadonlyMap<Purpose, PurposeDefinition> = new Map(
  purposes.map((purpose) => [purpose.kind, purpose]),
);

/** Throws for a purpose that is not in the table: a fault of ours. */
export function purposeOf(kind: Purpose): PurposeDefinition {
  const purpose = byKind.get(kind);
  if (purpose === undefined) throw new Error(`nobody knows what a draft for "${kind}" is`);
  return purpose;
}
