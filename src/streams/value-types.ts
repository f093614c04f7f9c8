/** Value types of event data, each with its unit and bounds; the examples are for readers of the API description. */
import { type TSchema, Type } from '@sinclair/typebox';

/** 32 bytes in base58. */
export const Address = Type.String({
  minLength: 32,
  maxLength: 44,
  pattern: '^[1-9A-HJ-NP-Za-km-z]+$',
  examples: ['AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3'],
});

/** A u64 as digits, in the smallest unit. */
export const Amount = Type.String({ maxLength: 20, pattern: '^(0|[1-9][0-9]*)$', examples: ['1000000000'] });

/** A u128 as digits. */
export const U128 = Type.String({ maxLength: 39, pattern: '^(0|[1-9][0-9]*)$', examples: ['400000000000'] });

/** Hundredths of a percent. */
export const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000 });

/** 64 bytes in base58. */
export const Signature = Type.String({
  minLength: 64,
  maxLength: 88,
  pattern: '^[1-9A-HJ-NP-Za-km-z]+$',
  examples: ['4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8'],
});

export const Base64 = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  examples: ['AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
});

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2026-11-21T12:00:00.000Z'],
});

export const Count = Type.Integer({ minimum: 0 });

/** The value, or null for none. */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  options: { readonly [name: string]: unknown } = {},
) {
  return Type.Union([schema, Type.Null()], options);
}

/** Copy of the schema with its own description, and with other examples if needed. */
export function described<Schema extends TSchema>(
  schema: Schema,
  description: string,
  examples: readonly unknown[] | undefined = schema.examples,
): Schema {
  return { ...schema, description, ...(examples && { examples }) };
}

/** Union of words. The API describes it once, under the title. */
export function enumOf<Word extends string>(
  title: string,
  words: readonly Word[],
  options: { readonly [name: string]: unknown } = {},
) {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    { title, ...options },
  );
}

export const DISTRIBUTION_INTERVALS = ['5m', '10m', '15m', '30m', '1h', '6h', '12h', '24h'] as const;
export const DistributionInterval = enumOf('DistributionInterval', DISTRIBUTION_INTERVALS);

/** Formats lamports exactly, such as `0.00005 SOL`. */
export function inSol(lamports: bigint): string {
  const digits = lamports.toString().padStart(10, '0');
  return `${`${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')} SOL`;
}
