/** Behaviour of every purpose; the schemas of their drafts are in `src/streams/purposes`. */
import type { DraftSubject, PurposeKind } from '../../streams/purposes/index.ts';
import { promotionPurchase } from './promotion-purchase-behaviour.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';
import { tokenCreation } from './token-creation-behaviour.ts';
import { tokenLaunch } from './token-launch-behaviour.ts';
import { transferFeeChange } from './transfer-fee-change-behaviour.ts';

const behaviours: {
  readonly [Kind in PurposeKind]: PurposeBehaviour<Extract<DraftSubject, { readonly kind: Kind }>>;
} = {
  launch: tokenLaunch,
  'promotion-purchase': promotionPurchase,
  'token-creation': tokenCreation,
  'transfer-fee-change': transferFeeChange,
};

export function behaviourOf(kind: PurposeKind): PurposeBehaviour {
  return behaviours[kind];
}
