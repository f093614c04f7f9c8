// The page of the log: its address says what is looked for, and which event is open.
import { expect, test } from 'vitest';
import {
  askedOf,
  cutStream,
  filterIn,
  logAddress,
  NO_FILTER,
  openedIn,
} from '../../../console/src/format/log-address.ts';

const stream = 'token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01';

test('an address leads back to the search and the event that it was made of', () => {
  const filter = { ...NO_FILTER, stream, since: '2h', correlationId: 'a&b=c d' };
  const opened = { stream: 'thing-a@b', revision: 12 };
  const address = logAddress(filter, opened);
  const query = Object.fromEntries(new URL(address, 'https://levy.example').searchParams);
  expect(filterIn(query)).toEqual(filter);
  expect(openedIn(query)).toEqual(opened);
  expect(logAddress({})).toBe('operate/log');
  expect(logAddress({ stream })).toBe(`operate/log?stream=${stream}`);
});

test.each([
  '',
  '@3',
  'token-1@',
  'token-1@x',
  `token-1@${'9'.repeat(20)}`,
])('an address that names %j opens no event', (event) => {
  expect(openedIn({ event })).toBeUndefined();
  expect(filterIn({ event, unknown: 'x' })).toEqual(NO_FILTER);
});

test('the API is asked for what is given, without blanks around it', () => {
  expect(askedOf({ ...NO_FILTER, type: ' TokenHidden ', since: ' ' })).toEqual({ type: 'TokenHidden' });
  expect(askedOf({ ...NO_FILTER, hide: 'TokenHidden, TokenShown' })).toEqual({
    hide: 'TokenHidden,TokenShown',
  });
});

test('a stream is cut in its id, never in its category', () => {
  expect(cutStream(stream)).toBe('token-3f2b…2a01');
  expect(cutStream('service-levy')).toBe('service-levy');
  expect(cutStream('distribution-run-3f2b9a54-54a7')).toBe('distribution-run-…54a7');
});
