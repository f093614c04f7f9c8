/** Operator and reason of an operator command; every such command records both. */
import { Type } from '@sinclair/typebox';
import { rejection } from '../streams/rejections.ts';
import { hiddenCharacter } from './hidden-characters.ts';

const MAX_LENGTH = 500;

export const Reason = Type.String({
  minLength: 1,
  // The schema counts UTF-16 units; a character has at most two.
  maxLength: 2 * MAX_LENGTH,
  description: `1-${MAX_LENGTH} characters on one line; recorded permanently, and shown to operators only.`,
  examples: ['Impersonates another token.'],
});

/** Name of the operator in the actor of a call to an operator's route. */
export function operatorName(actor: string): string {
  return actor.replace(/^operator:/, '');
}

/** Returns the reason without surrounding blanks. Throws `VALIDATION_FAILED`. */
export function readReason(text: string): string {
  const reason = text.trim();
  const { length } = [...reason];
  const hidden = hiddenCharacter(reason);
  if (hidden === undefined && length >= 1 && length <= MAX_LENGTH) return reason;
  const message = hidden ?? `must have 1 to ${MAX_LENGTH} characters`;
  throw rejection('VALIDATION_FAILED', 'Invalid reason; see the details.', {
    details: [{ path: ['reason'], message }],
  });
}
