// When an open run is told as stuck.
import { describe, expect, test } from 'vitest';
import type { WaitSince } from '../../../../src/distribution/services.ts';
import {
  isStuck,
  STEP_LIMITS,
  stepLimit,
  TROUBLE_LIMIT,
} from '../../../../src/distribution/waiting/step-limits.ts';
import type { RunStep } from '../../../../src/streams/distribution-step.ts';
import { WAITS, waitFor } from '../../../../src/streams/distribution-wait.ts';
import { NOW } from '../../../support/run-examples.ts';

const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds).toISOString();
const waitingSince = (code: WaitSince['code'], milliseconds: number): WaitSince => ({
  ...waitFor(code),
  since: ago(milliseconds),
});
const stuck = (movedBefore: number, waitingFor?: WaitSince, step: RunStep = 'pay') =>
  isStuck({ step, movedAt: ago(movedBefore), waitingFor }, NOW);

const codeOf = (kind: string) => {
  const found = Object.entries(WAITS).find(([, wait]) => wait.kind === kind);
  if (found === undefined) throw new Error(`no wait is a ${kind}`);
  return found[0] as WaitSince['code'];
};

describe('a run is stuck', () => {
  test.each(Object.entries(STEP_LIMITS))('in %s after %i seconds without a record', (name, seconds) => {
    const step = name as RunStep;
    expect(stepLimit(step)).toBe(seconds * 1_000);
    expect(stuck(seconds * 1_000, undefined, step)).toBe(false);
    expect(stuck(seconds * 1_000 + 1, undefined, step)).toBe(true);
  });

  test('never while it waits for the moment that it has announced', () => {
    expect(stepLimit('announce')).toBe(Number.POSITIVE_INFINITY);
    expect(stuck(10 ** 12, undefined, 'announce')).toBe(false);
  });

  test('at once where something is at fault', () => {
    expect(stuck(0, waitingSince(codeOf('fault'), 0))).toBe(true);
  });

  test('when trouble lasts, whatever the step', () => {
    const trouble = codeOf('trouble');
    expect(stuck(0, waitingSince(trouble, TROUBLE_LIMIT * 1_000))).toBe(false);
    expect(stuck(0, waitingSince(trouble, TROUBLE_LIMIT * 1_000 + 1))).toBe(true);
  });
});
