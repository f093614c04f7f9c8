// Operators see whether outcomes reach the bus, how far they are, and why they stand still.
import { describe, expect, test } from 'vitest';
import { loggerTo } from '../../../../../src/kernel/ports/logger.ts';
import { PublisherSuperseded } from '../../../../../src/kernel/ports/publisher.ts';
import { createPublishingProgress } from '../../../../../src/server/delivery/publishing/publishing-progress.ts';

function open() {
  const reports: string[] = [];
  return { reports, progress: createPublishingProgress(loggerTo((message) => void reports.push(message))) };
}

describe('publishing', () => {
  test('counts the tries anew once it has got further, and not for standing still', () => {
    const { progress } = open();
    progress.reached('5');
    progress.interrupted(new Error('no bus'));
    progress.reached('5');
    expect(progress.interrupted(new Error('no bus'))).toBe(2);
    progress.reached('6');
    expect(progress.interrupted(new Error('no bus'))).toBe(1);
  });

  test('takes turns with another publisher without calling that a failure', () => {
    const { progress, reports } = open();
    progress.connected();
    expect(progress.interrupted(new PublisherSuperseded('another was first'))).toBe(1);
    expect(progress.status()).toMatchObject({ state: 'publishing', error: undefined });
    expect(reports).toEqual([]);
  });

  test('that cannot read the log says why, also after it has ended for good', () => {
    const { progress, reports } = open();
    progress.connected();
    progress.failed(new Error('no log'), false);
    expect(progress.status()).toMatchObject({ state: 'publishing', error: 'no log' });
    progress.failed(new Error('no log'), true);
    progress.ended();
    expect(progress.status()).toMatchObject({ state: 'failed', error: 'no log' });
    expect(reports).toEqual(['the publisher cannot read the log', 'the publisher cannot read the log']);
  });
});
