// Which events `levy events` prints, by place, time, type and stream.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { type SelectionTexts, selectionOf } from '../../../src/levy/events-command.ts';
import { lastBefore, laterThan } from '../../../src/levy/position-option.ts';

function event(number: number, stream: string, type: string): RecordedEvent {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    type,
    data: {},
    metadata: { occurredAt: `2026-05-0${number}T10:00:00.000Z` },
    stream,
    revision: 0,
    position: String(number).padStart(20, '0'),
  };
}

const log = [
  event(1, 'service-levy', 'ServiceInitialized'),
  event(2, 'token-a', 'TokenCreated'),
  event(3, 'token-b', 'TokenCreated'),
  event(4, 'run-a', 'RunOpened'),
  event(5, 'run-a', 'RunAllotted'),
  { ...event(6, 'token-a', 'TokenHidden'), metadata: {} },
];

function selected(texts: SelectionTexts): readonly number[] {
  const { matches, isBeyond } = selectionOf(texts);
  const end = log.findIndex(isBeyond);
  const wanted = log.slice(0, end === -1 ? log.length : end).filter(matches);
  return wanted.map(({ position }) => Number(position));
}

const at = (number: number) => String(number).padStart(20, '0');

describe('of a log, are selected', () => {
  test.each<[string, SelectionTexts, readonly number[]]>([
    ['all events, if nothing is said', {}, [1, 2, 3, 4, 5, 6]],
    ['those after a position, without it', { after: at(4) }, [5, 6]],
    ['those up to a position, with it', { until: at(2) }, [1, 2]],
    ['those after a time that say when they were', { after: '2026-05-04T10:00:00Z' }, [5]],
    ['those up to a day', { until: '2026-05-03' }, [1, 2]],
    ['a type', { types: 'TokenCreated' }, [2, 3]],
    ['types, and all that begin alike', { types: 'TokenHidden, Run*' }, [4, 5, 6]],
    ['a stream', { stream: 'token-a' }, [2, 6]],
    ['a category', { stream: 'token' }, [2, 3, 6]],
    [
      'what fits everything that is said',
      { stream: 'token', types: 'Token*', after: at(2), until: at(5) },
      [3],
    ],
  ])('%s', (_what, texts, expected) => {
    expect(selected(texts)).toEqual(expected);
  });
});

describe('a text that says nothing is refused in a sentence', () => {
  test.each<[SelectionTexts, RegExp]>([
    [{ after: '17' }, /--after is "17": write a position \(20 digits.*or a time/],
    [{ until: 'yesterday' }, /--until is "yesterday"/],
    [{ until: '2026-13-45' }, /--until is "2026-13-45"/],
    [{ types: 'Run*Opened' }, /--types has "Run\*Opened"/],
    [{ types: 'RunOpened,' }, /--types has ""/],
  ])('%j', (texts, sentence) => {
    expect(() => selectionOf(texts)).toThrow(sentence);
  });
});

test.each([
  ['a position', at(4), 4],
  ['a time', '2026-05-04T10:00:00Z', 4],
  ['the end, where all are earlier', '2100-01-01', 6],
  ['nothing, where all are later', '2020-01-01', undefined],
])('the last event up to %s is found', async (_what, text, number) => {
  const events = async function* () {
    yield* log;
  };
  const last = await lastBefore({ events }, laterThan('--until', text));
  expect(last?.position).toBe(number && at(number));
});
