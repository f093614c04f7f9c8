// What other programs write into a log is read as it is, or kept as bytes: nothing of it overflows the stack of a reader.
import { expect, test } from 'vitest';
import { readStoredJson } from '../../../../src/kernel/ports/stored-json.ts';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test('data that are nested deeper than any event are unreadable, and their bytes are kept', () => {
  const data = nested(200_000);
  const { unreadable, raw, ...read } = readStoredJson(data, '{}');
  expect([unreadable, read.data]).toEqual(['its data are nested too deeply', {}]);
  expect(Buffer.from(raw?.data ?? '', 'base64').toString()).toBe(data);
  expect(readStoredJson('{}', nested(101)).unreadable).toBe('its metadata are nested too deeply');
});

test('brackets within texts count for nothing', () => {
  const data = { text: `\\"${'[{'.repeat(1_000)}`, list: Array.from({ length: 500 }, () => ({})) };
  expect(readStoredJson(JSON.stringify(data), nested(100))).toMatchObject({ data, metadata: { a: {} } });
});
