/** Says what is wrong with a value so that its sender can correct it: with the values that are allowed, and in words. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import type { ValueError } from '@sinclair/typebox/errors';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Address, Amount, Base64, Signature, Timestamp } from '../../streams/values.ts';

/** What a pattern stands for. Addresses and signatures have the same one. */
const PATTERNS: ReadonlyMap<unknown, string> = new Map([
  [Amount.pattern, 'must be a whole number as digits, without a leading zero'],
  [Uuid.pattern, 'must be a UUID in lower case'],
  [Timestamp.pattern, 'must be a time such as 2026-11-21T12:00:00.000Z'],
  [Base64.pattern, 'must be base64'],
  [Address.pattern, 'must be base58'],
  [Signature.pattern, 'must be base58'],
]);

export function fieldMessage({ schema, message }: Pick<ValueError, 'schema' | 'message'>): string {
  if (TypeGuard.IsUnion(schema)) return allowedValues(schema.anyOf, schema.description);
  if (TypeGuard.IsLiteral(schema)) return `must be ${JSON.stringify(schema.const)}`;
  if (!TypeGuard.IsString(schema) || !message.startsWith('Expected string to match')) return message;
  const example: unknown = schema.examples?.[0];
  return (
    PATTERNS.get(schema.pattern) ??
    (example === undefined ? message : `must be written as ${JSON.stringify(example)}`)
  );
}

function allowedValues(branches: readonly TSchema[], description: string | undefined): string {
  const names = branches.map((branch) => {
    if (TypeGuard.IsLiteral(branch)) return JSON.stringify(branch.const);
    return TypeGuard.IsNull(branch) ? 'null' : (branch.title ?? String(branch.type));
  });
  const [only] = names;
  if (names.length === 1 && only !== undefined) return `must be ${only}`;
  const isWhole = branches.every((branch) => TypeGuard.IsLiteral(branch) || TypeGuard.IsNull(branch));
  const more = isWhole || description === undefined ? '' : `: ${description}`;
  return `must be ${isWhole ? 'one of ' : ''}${names.slice(0, -1).join(', ')} or ${names.at(-1)}${more}`;
}
