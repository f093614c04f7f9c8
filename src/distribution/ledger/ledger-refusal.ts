/** The refusals for a ledger that cannot be read. */
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { ledgerCorrupt, ledgerUnavailable } from '../../streams/rejections.ts';
import { LedgerInvalid, LedgerMissing } from './read-range.ts';

/** Undefined for an error that says nothing of a ledger. A missing file may still be on its way, or be put back. */
export function ledgerRefusal(error: unknown): Rejection | undefined {
  if (error instanceof LedgerMissing) return ledgerUnavailable(error);
  if (error instanceof LedgerInvalid || error instanceof ContentDamaged) return ledgerCorrupt(error);
  return undefined;
}
