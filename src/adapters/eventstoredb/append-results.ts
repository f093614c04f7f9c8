/** What the server's answer says of an append. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResult } from '../../kernel/ports/event-store.ts';
import { positionText, revisionNumber } from './messages.ts';

export type Appended =
  | { readonly outcome: 'appended'; readonly revision: number; readonly position: string | undefined }
  | Extract<AppendResult, { outcome: 'conflict' }>;

/** The server refused the append for good. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Answers with which the server refuses a write for good. Any other error leaves the outcome unknown. */
const REFUSALS = new Set([
  'event_store.client.AccessDenied',
  'event_store.client.StreamDeleted',
  'event_store.client.MaximumAppendSizeExceeded',
  // Servers since 24.10.4, where an operator has set `MaxAppendEventSize`. The client's messages do not know it.
  'event_store.client.MaximumAppendEventSizeExceeded',
  'event_store.client.BadRequest',
  'event_store.client.InvalidTransaction',
]);
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

export function failureIn(response: BatchAppendResp): string {
  return `the event store failed: ${response.getError()?.getMessage() || 'unknown'}`;
}

/** Undefined if the outcome is unknown. @throws AppendRefused */
export function resultOf(response: BatchAppendResp): Appended | undefined {
  const success = response.getSuccess();
  if (success !== undefined) {
    const position = success.getPosition()?.getCommitPosition();
    return {
      outcome: 'appended',
      revision: revisionNumber(success.getCurrentRevision()),
      position: position === undefined ? undefined : positionText(position),
    };
  }
  const details = response.getError()?.getDetails();
  const kind = details?.getTypeName() ?? '';
  if (kind === WRONG_REVISION) {
    const found = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, WRONG_REVISION);
    const actual = found?.hasCurrentStreamRevision()
      ? revisionNumber(found.getCurrentStreamRevision())
      : 'none';
    return { outcome: 'conflict', actual };
  }
  if (REFUSALS.has(kind)) {
    throw new AppendRefused(`the event store refused an append: ${kind.slice(kind.lastIndexOf('.') + 1)}`);
  }
  return undefined;
}
