import { describe, expect, test } from 'vitest';
import { nextGeneration } from '../../../../src/adapters/sqlite/generations-table.ts';

describe('the next generation of a version', () => {
  test('is the first where the version has none, whatever other versions have', () => {
    expect(nextGeneration([], 2)).toBe(1);
    expect(nextGeneration([{ version: 1, generation: 4 }], 2)).toBe(1);
  });

  test('follows the latest one of the version', () => {
    const rows = [
      { version: 1, generation: 7 },
      { version: 2, generation: 1 },
      { version: 2, generation: 3 },
    ];
    expect(nextGeneration(rows, 2)).toBe(4);
  });
});
