import { expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createChainSuitability } from '../../../../src/distribution/sending/chain-suitability.ts';

const { distributor } = createKeyring(Buffer.alloc(32, 1));

/** A chain that answers simulations with these errors, one after another. */
function looking(...errors: (string | undefined)[]) {
  let looks = 0;
  const suitability = createChainSuitability(
    { rentExemption: async () => 2_039_280n },
    {
      simulate: async () => {
        looks += 1;
        return { slot: 1n, error: errors.shift(), logs: [], unitsConsumed: 0, wire: new Uint8Array() };
      },
    },
    distributor,
  );
  return { suitability, looks: () => looks };
}

test('a chain that refused is looked at again by the next who asks, and one that has taken it never again', async () => {
  const { suitability, looks } = looking('AccountNotFound', undefined, 'Unsupported');
  expect(await suitability.check()).toContain('AccountNotFound');
  expect(suitability.unsuitable()).toContain('AccountNotFound');
  expect(await suitability.check()).toBeUndefined();
  expect(suitability.unsuitable()).toBeUndefined();
  expect(await suitability.check()).toBeUndefined();
  expect(looks()).toBe(2);
});

test('all who ask at once share one look', async () => {
  const { suitability, looks } = looking('Unsupported');
  const answers = await Promise.all([suitability.check(), suitability.check()]);
  expect(answers[0]).toContain('Unsupported');
  expect(answers[1]).toBe(answers[0]);
  expect(looks()).toBe(1);
});
