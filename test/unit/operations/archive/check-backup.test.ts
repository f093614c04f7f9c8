// What a backup lacks by its manifest, and which lines of its log are not those of a log.
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../../src/kernel/ports/operator-error.ts';
import { createLogCheck, lackOf } from '../../../../src/operations/archive/check-backup.ts';
import { lineOf } from '../../../../src/operations/archive/log-lines.ts';
import { ids, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const FOUND = {
  events: 3,
  head: '30',
  firstEvent: 'a',
  unreadable: 1,
  blob: 4,
  named: 5,
  image: 6,
  chain: 2,
  count: 18,
  bytes: 900,
};
const EXPECTED = {
  events: 3,
  head: '30',
  firstEvent: 'a',
  unreadable: 1,
  blobs: 4,
  named: 5,
  images: 6,
  chain: 2,
  files: { count: 18, bytes: 900, sha256: '' },
};

describe('a backup', () => {
  test('lacks nothing that its manifest counts', () => {
    expect(lackOf(FOUND, EXPECTED)).toBeUndefined();
    const { chain: _none, ...without } = EXPECTED;
    expect(lackOf({ ...FOUND, chain: 0 }, without)).toBeUndefined();
    expect(lackOf(FOUND, without)).toBe('it has 2 files of the chain, and the manifest says 0');
  });

  test.each<[Partial<typeof FOUND>, string]>([
    [{ count: 17 }, 'it has 17 files, and the manifest says 18'],
    [{ bytes: 901 }, 'it has 901 bytes, and the manifest says 900'],
    [{ events: 4 }, 'it has 4 events, and the manifest says 3'],
    [{ head: '31' }, 'its last event is at 31, and the manifest says 30'],
    [{ firstEvent: 'b' }, 'its first event is b, and the manifest says a'],
    [{ unreadable: 0 }, 'it has 0 events that cannot be read, and the manifest says 1'],
    [{ blob: 3 }, 'it has 3 ledger files, and the manifest says 4'],
    [{ named: 6 }, 'it has 6 named files, and the manifest says 5'],
    [{ image: 5 }, 'it has 5 images, and the manifest says 6'],
    [{ chain: 1 }, 'it has 1 files of the chain, and the manifest says 2'],
  ])('with %o is refused with both counts', (change, sentence) => {
    expect(lackOf({ ...FOUND, ...change }, EXPECTED)).toBe(sentence);
  });
});

describe('the log of a backup', () => {
  const events = storedEvents([
    happening(ids.tokenId, tokenCreated),
    happening(ids.walletId, tokenCreated),
    happening(ids.transactionId, tokenCreated),
  ]);
  const lines = events.map(lineOf);
  const [first = '', second = ''] = lines;

  test('is counted from its first event to its last, with those that no program can read', () => {
    const log = createLogCheck();
    for (const line of lines) log.add(line, 'log/1');
    const { position, id } = { position: events.at(-1)?.position, id: events[0]?.id };
    expect(log.found()).toEqual({ events: 3, head: position, firstEvent: id, unreadable: 0 });
  });

  test.each([
    ['the same event again', [first, first], 'does not follow'],
    ['an earlier event', [second, first], 'does not follow'],
    ['a line that is no event', [first, '{}'], 'there is a line that is no event'],
    ['a line that is no JSON', [first, 'event'], 'there is a line that is no event'],
  ])('is refused with %s, and the file is named', (_what, wrong, message) => {
    const log = createLogCheck();
    const add = () => {
      for (const line of wrong) log.add(line, 'log/7');
    };
    expect(add).toThrow(OperatorError);
    expect(add).toThrow('"log/7" is damaged');
    const again = createLogCheck();
    again.add(wrong[0] ?? '', 'log/7');
    expect(() => again.add(wrong[1] ?? '', 'log/7')).toThrow(message);
  });
});
