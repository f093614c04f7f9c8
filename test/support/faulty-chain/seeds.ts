/** Seeds of the protocol tests. A failure names its seed: `LEVY_PROTOCOL_SEED=<seed>` runs that one alone. */

/** From `LEVY_PROTOCOL_SEED` on, as many as `LEVY_PROTOCOL_SEEDS` says; `usual` without it. */
export function protocolSeeds(usual: number): readonly number[] {
  const { LEVY_PROTOCOL_SEED: first, LEVY_PROTOCOL_SEEDS: wanted } = process.env;
  const count = wanted === undefined ? (first === undefined ? usual : 1) : Number(wanted);
  return Array.from({ length: count }, (_, index) => Number(first ?? 0) + index);
}

/** Seeds come in slices, so that a test that fails says where, and none takes minutes. */
export function slicesOf(seeds: readonly number[], size: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(seeds.length / size) }, (_, index) =>
    seeds.slice(index * size, (index + 1) * size),
  );
}
