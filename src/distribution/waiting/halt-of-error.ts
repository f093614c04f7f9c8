/** Which error of a step halts its token, because trying again would use what nobody may use. Pure. */
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import type { HaltCode } from '../../streams/distribution.ts';

export interface Halt {
  readonly code: HaltCode;
  readonly reason: string;
}

/** Undefined where the step is tried again. */
export function haltOfError(error: unknown): Halt | undefined {
  if (!(error instanceof ContentDamaged)) return undefined;
  return {
    code: 'LEDGER_CORRUPT',
    reason: `The bytes of the ledger file ${error.file} are not those of its name. Nothing of it was used. Put the file back from a backup, then resume.`,
  };
}
