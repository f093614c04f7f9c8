/** Table of error codes, generated from the list that the service uses. */

import type { RejectionKind } from '../kernel/runtime/rejection.ts';
import { STATUS_OF_KIND } from '../server/http/problems.ts';
import { REJECTION_CODES } from '../streams/rejections.ts';
import { markdownTable } from './markdown.ts';

/** Markdown, ending with a line end; sorted by status. */
export function rejectionTable(): string {
  const entries: readonly [string, { kind: RejectionKind; otherKind?: RejectionKind; title: string }][] =
    Object.entries(REJECTION_CODES);
  const rows = entries.flatMap(([code, { kind, otherKind, title }]) =>
    [kind, ...(otherKind === undefined ? [] : [otherKind])].map((each) => [
      String(STATUS_OF_KIND[each]),
      `\`${code}\``,
      title,
    ]),
  );
  const byStatus = rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  return markdownTable(['Status', 'Code', 'Meaning'], byStatus);
}
