// A run whose service is killed between what it records and what it sends pays every holder once.
import { test } from 'vitest';
import { expectOneRunAcross } from '../support/killed-distribution.ts';

test('killed once its first payments are recorded, a service pays everybody once', () =>
  expectOneRunAcross([{ at: 'after:RoundRecorded' }], 8));
