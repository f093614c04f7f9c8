/** How a check of an audit is declared. */
import type { CheckGroup, CheckNames } from './check-names.ts';

export interface DeclaredCheck extends CheckNames {
  readonly proves: string;
  /** What each finding means, by its sentence: `…` is a variable part. */
  readonly findings: { readonly [what: string]: string };
  /** Markdown, with links as they stand in docs/reference. */
  readonly remedy: string;
}

export const RESTORE =
  '[Restore](../how-to/operate/back-up-and-restore.md) a backup that the audit finds nothing in';
export const HALT =
  '[Halt the token](../how-to/operate/distribute-tax.md) first. Then look at the signature with a node that you believe';

export function check(
  group: CheckGroup,
  name: string,
  about: Pick<DeclaredCheck, 'proves' | 'findings' | 'remedy'>,
): DeclaredCheck {
  return { group, check: name, ...about };
}
