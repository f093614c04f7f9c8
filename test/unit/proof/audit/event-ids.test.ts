// Ids of a log of any size: which occur twice, and which causes are in no log. And where a part of a log begins.
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OperatorError } from '../../../../src/kernel/ports/errors.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { openEventIds } from '../../../../src/proof/audit/log/event-ids.ts';
import { openKeyBuckets, textOfKey } from '../../../../src/proof/audit/log/key-buckets.ts';
import { positionSince } from '../../../../src/proof/audit/log/position-since.ts';
import { TokenHidden, TokenShown } from '../../../../src/streams/token.ts';
import { logOf } from '../../../support/comparing.ts';
import { ids, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const idOf = (name: string) => deriveId('event', name);

interface Ids {
  readonly event: string;
  readonly command?: string;
  readonly cause?: string;
}

async function judged(...all: readonly Ids[]) {
  const eventIds = openEventIds();
  onTestFinished(() => eventIds.close());
  for (const { event, command = `of ${event}`, cause } of all)
    await eventIds.add({ eventId: event, commandId: command, cause });
  return eventIds.judge();
}

describe('the ids of events', () => {
  test('are each of one event; one that occurs twice or more is one that is doubled', async () => {
    const right = await judged({ event: idOf('a') }, { event: idOf('b') });
    expect([right.doubled, right.isDoubled(idOf('a'))]).toEqual([0, false]);
    const wrong = await judged(...['a', 'b', 'a', 'a'].map((name) => ({ event: idOf(name) })));
    expect([wrong.doubled, wrong.isDoubled(idOf('a')), wrong.isDoubled(idOf('b'))]).toEqual([1, true, false]);
  });
});

describe('of a log of any size', () => {
  const numbered = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

  test('no files are left behind', async () => {
    const folder = await temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const eventIds = openEventIds();
    for (let number = 0; number < 2_000; number += 1)
      await eventIds.add({ eventId: numbered(number), commandId: 'the same', cause: undefined });
    expect(readdirSync(folder)).toHaveLength(1);
    expect((await eventIds.judge()).doubled).toBe(0);
    await eventIds.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('no more than so many wrong ids of a kind are remembered', async () => {
    const eventIds = openEventIds({ mostRemembered: 100 });
    onTestFinished(() => eventIds.close());
    for (let number = 0; number < 202; number += 1)
      await eventIds.add({
        eventId: numbered(number % 101),
        commandId: 'the same',
        cause: number < 101 ? `${numbered(number).slice(0, -12)}gone${number}` : undefined,
      });
    const { doubled, missing } = await eventIds.judge();
    expect([doubled, missing]).toEqual([100, 100]);
  });
});

describe('what led to an event', () => {
  test('is an event of the log or a command that recorded one, before it or behind', async () => {
    const { missing, isMissing } = await judged(
      { event: idOf('a'), command: idOf('command'), cause: idOf('b') },
      { event: idOf('b'), command: idOf('command'), cause: idOf('command') },
      { event: idOf('c') },
    );
    expect([missing, isMissing(idOf('b')), isMissing(idOf('command'))]).toEqual([0, false, false]);
  });

  test('is missing where it is neither, and is counted once', async () => {
    const { missing, isMissing } = await judged(
      { event: idOf('a'), cause: idOf('gone') },
      { event: idOf('b'), cause: idOf('gone') },
    );
    expect([missing, isMissing(idOf('gone')), isMissing(idOf('a'))]).toEqual([1, true, false]);
  });
});

describe('keys in buckets', () => {
  const keyOf = (index: number, first: number) => {
    const key = Buffer.alloc(20, index % 251);
    key.writeUInt32BE(index, 8);
    key[0] = first;
    key[1] = 0;
    return key;
  };

  test('come back with their kinds, in their order, however many there are in one bucket', async () => {
    const keys = openKeyBuckets();
    onTestFinished(() => keys.close());
    // More than what is kept of a bucket in memory.
    for (let index = 0; index < 2_500; index += 1) await keys.put(index % 3, keyOf(index, 7));
    await keys.put(2, keyOf(0, 9));
    const found: { readonly kind: number; readonly key: string }[][] = [];
    for await (const bucket of keys.buckets()) found.push([...bucket]);
    const [small, large] = found.toSorted((one, other) => one.length - other.length);
    expect([found.length, small?.length]).toEqual([2, 1]);
    expect(large).toEqual(
      Array.from({ length: 2_500 }, (_, index) => ({ kind: index % 3, key: textOfKey(keyOf(index, 7)) })),
    );
    expect(textOfKey(keyOf(3, 7))).toHaveLength(16);
  });
});

const [created, hidden, shown] = storedEvents([
  happening(ids.tokenId, tokenCreated, '2026-05-04T10:00:00.000Z'),
  happening(ids.tokenId, TokenHidden({ tokenId: ids.tokenId, reason: 'Spam.' }), '2026-05-04T11:00:00.000Z'),
  happening(ids.tokenId, TokenShown({ tokenId: ids.tokenId, reason: null }), '2026-05-04T12:00:00.000Z'),
]) as [RecordedEvent, RecordedEvent, RecordedEvent];

describe('a part of a log begins', () => {
  const log = logOf([created, hidden, shown]);

  test.each([
    ['at a position, as it is', '00000000000000000042', '00000000000000000042'],
    ['at a position of another kind of log', '17/42', '17/42'],
    ['before the first event of the time or later', '2026-05-04T11:00:00.000Z', created.position],
    ['before the first event of a day', '2026-05-04', ''],
    ['at its end where nothing was recorded since', '2026-05-05T00:00:00Z', shown.position],
  ])('%s', async (_where, since, position) => {
    expect(await positionSince(log, since)).toBe(position);
  });

  test.each([
    'yesterday',
    '',
    '2026-13-99T99:00:00Z',
  ])('nowhere where neither is meant: "%s"', async (since) => {
    await expect(positionSince(log, since)).rejects.toThrow(OperatorError);
  });
});
