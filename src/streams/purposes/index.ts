/** All purposes of drafts. Their behaviour is in `src/drafts/purposes`. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { promotionPurchasePurpose } from './promotion-purchase.ts';
import { tokenCreationPurpose } from './token-creation.ts';
import { tokenLaunchPurpose } from './token-launch.ts';
import { transferFeeChangePurpose } from './transfer-fee-change.ts';

/** In order of introduction, which is also the order in schemas. */
export const purposes = [
  tokenCreationPurpose,
  transferFeeChangePurpose,
  promotionPurchasePurpose,
  tokenLaunchPurpose,
] as const;

type SubjectsOf<Purposes extends readonly { readonly subject: TSchema }[]> = {
  -readonly [Place in keyof Purposes]: Purposes[Place]['subject'];
};

export const DraftSubject = Type.Union(purposes.map(({ subject }) => subject) as SubjectsOf<typeof purposes>);

export type DraftSubject = Static<typeof DraftSubject>;
export type PurposeKind = DraftSubject['kind'];

export type AnyPurpose = (typeof purposes)[number];

/** Types of the events that record a draft's subject; `RevertingType`: those that revert it. */
export type RecordingType = RecordingTypeOf<AnyPurpose>;
export type RecordingTypeOf<Purpose extends AnyPurpose> =
  | Purpose['recordedBy']
  | NonNullable<Purpose['foundRecordedBy']>;
export type RevertingType = NonNullable<AnyPurpose['revertedBy']>;

export const recordingTypes: readonly RecordingType[] = purposes.flatMap(
  ({ recordedBy, foundRecordedBy }) => [
    recordedBy,
    ...(foundRecordedBy === undefined ? [] : [foundRecordedBy]),
  ],
);
export const revertingTypes: readonly RevertingType[] = purposes.flatMap(
  ({ revertedBy }) => revertedBy ?? [],
);

const byKind: ReadonlyMap<string, AnyPurpose> = new Map(purposes.map((purpose) => [purpose.kind, purpose]));

/** True if a draft of this kind has reached the status at which its subject is recorded. */
export function isDue(status: string, kind: PurposeKind): boolean {
  return status === 'finalized' || status === byKind.get(kind)?.recordedWhen;
}
