/** The file that keeps sampled prices over a restart: JSON behind the HMAC-SHA-256 of it, so that no other key can write one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { TEMPORARY_FILES } from '../../kernel/ports/blob-store.ts';
import type { PriceSample } from './price-reference.ts';

export const PRICES_FILE = `${TEMPORARY_FILES}sale-prices`;
const TAG_SIZE = 32;

const Digits = Type.String({ pattern: '^[0-9]{1,39}$' });
const Saved = Type.Array(
  Type.Tuple([Type.String(), Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Digits, Digits]))]),
);

/** By mint. */
export function writtenPrices(
  sampled: ReadonlyMap<string, { readonly samples: readonly PriceSample[] }>,
  secret: Uint8Array,
): Buffer {
  const saved = [...sampled].map(([mint, { samples }]) => [
    mint,
    samples.map(({ at, slot, sqrtPrice }) => [at, slot.toString(), sqrtPrice.toString()]),
  ]);
  const body = Buffer.from(JSON.stringify(saved));
  return Buffer.concat([tagOf(body, secret), body]);
}

/** Undefined for a file that another key has written, or that does not decode. */
export function readPrices(
  bytes: Uint8Array,
  secret: Uint8Array,
): readonly { readonly mint: string; readonly samples: readonly PriceSample[] }[] | undefined {
  const [tag, body] = [bytes.subarray(0, TAG_SIZE), bytes.subarray(TAG_SIZE)];
  if (tag.length !== TAG_SIZE || !timingSafeEqual(tag, tagOf(body, secret))) return undefined;
  const saved: unknown = JSON.parse(Buffer.from(body).toString());
  if (!Value.Check(Saved, saved)) return undefined;
  return saved.map(([mint, samples]) => ({
    mint,
    samples: samples.map(([at, slot, sqrtPrice]) => ({
      at,
      slot: BigInt(slot),
      sqrtPrice: BigInt(sqrtPrice),
    })),
  }));
}

function tagOf(body: Uint8Array, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(PRICES_FILE).update(body).digest();
}
