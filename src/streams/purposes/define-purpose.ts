/** Defines the data of a purpose: the subject of its drafts, and the events that record and revert it. */
import { type TProperties, Type } from '@sinclair/typebox';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Address } from '../value-types.ts';

/** Schema of a draft's subject: its kind, and the token that the draft creates or changes. */
export function subjectOf<const Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields) {
  return Type.Object({ kind: Type.Literal(kind), tokenId: Uuid, mintAddress: Address, ...fields });
}

interface PurposeDefinition<
  Subject extends AnySubject,
  RecordedBy extends string,
  RevertedBy extends string,
  FoundRecordedBy extends string,
> {
  readonly subject: Subject;
  /** Draft status at which the subject is recorded. Before `finalized` a fork can revert it. */
  readonly recordedWhen: 'confirmed' | 'finalized';
  /** Type of the event that records the subject; its `transactionId` names the draft. */
  readonly recordedBy: RecordedBy;
  /**
   * Type of the event that replaces `recordedBy` if the result was observed and recorded before the draft; its `transactionId`
   * names the draft.
   */
  readonly foundRecordedBy?: FoundRecordedBy;
  /** Type of the event that reverts the record after a fork; its `transactionId` names the draft. */
  readonly revertedBy?: RevertedBy;
}

type AnySubject = ReturnType<typeof subjectOf>;

export function definePurpose<
  Subject extends AnySubject,
  const RecordedBy extends string,
  const RevertedBy extends string = never,
  const FoundRecordedBy extends string = never,
>(definition: PurposeDefinition<Subject, RecordedBy, RevertedBy, FoundRecordedBy>) {
  const kind: Subject['properties']['kind']['const'] = definition.subject.properties.kind.const;
  return { kind, ...definition };
}
