// Operators see whether outcomes reach the bus, how far they are, and why they stand still.
import { describe, expect, test } from 'vitest';
import { loggerTo } from '../../../../../src/kernel/ports/logger.ts';
import { PublisherSuperseded } from '../../../../../src/kernel/ports/publisher.ts';
import { EventUndecodable } from '../../../../../src/kernel/runtime/event-codec.ts';
import { createPublishingProgress } from '../../../../../src/server/delivery/publishing/publishing-progress.ts';

function open() {
  const reports: string[] = [];
  return { reports, progress: createPublishingProgress(loggerTo((message) => void reports.push(message))) };
}

const damagedAt = (position: string) =>
  new EventUndecodable({
    eventId: 'id',
    stream: 'counter-a',
    revision: 3,
    position,
    eventType: 'Counted',
    problem: 'damaged',
    isNewer: false,
  });

describe('publishing', () => {
  test('connects, publishes, and stops', () => {
    const { progress, reports } = open();
    expect(progress.status()).toMatchObject({ state: 'connecting', position: undefined });
    progress.connected();
    progress.reached('5');
    expect(progress.status()).toMatchObject({ state: 'publishing', position: '5', error: undefined });
    progress.stopped();
    expect(progress.status()).toMatchObject({ state: 'stopped', position: '5' });
    expect(reports).toEqual([]);
  });

  test('that is interrupted says so once, counts the tries, and says when it goes on', () => {
    const { progress, reports } = open();
    expect(progress.interrupted(new Error('no bus'))).toBe(1);
    expect(progress.interrupted(new Error('no bus'))).toBe(2);
    expect(progress.status()).toMatchObject({ state: 'waiting', error: 'no bus' });
    progress.connected();
    expect(progress.status()).toMatchObject({ state: 'publishing', error: undefined });
    expect(reports).toEqual(['publishing failed, retrying', 'publishing recovered']);
  });

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

  test('is blocked at an event until it is past that, though what is before it still arrives', () => {
    const { progress } = open();
    progress.connected();
    progress.blocked(damagedAt('7'));
    progress.reached('6');
    expect(progress.status()).toMatchObject({
      state: 'blocked',
      position: '6',
      error: expect.stringContaining('damaged'),
      blockedBy: { position: '7' },
    });
    progress.reached('7');
    expect(progress.status()).toMatchObject({ state: 'publishing', error: undefined, blockedBy: undefined });
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
