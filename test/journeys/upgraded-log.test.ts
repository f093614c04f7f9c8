/** Logs that earlier versions recorded, with everything that a service of its own can record: this version makes the same of them. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonValue, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { streams } from '../../src/streams/index.ts';
import { stateOf } from '../../src/streams/stream-state.ts';
import { logOf } from '../support/comparing.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { readGolden, schemaFile } from '../support/golden-files.ts';
import { documentsOf, readDocumentLines } from '../upgrade/recorded-documents.ts';

const RECORDED = fileURLToPath(new URL('../upgrade/recorded-logs/', import.meta.url));
const versions = readdirSync(RECORDED, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What no single one of them has to have: older versions could not record it, and launches need a program. */
test('the recorded logs have launches, and drafts that were cancelled and refreshed', async () => {
  const logs = await Promise.all(
    versions.map((version) => readFile(join(RECORDED, version, 'log.ndjson.gz'))),
  );
  const text = logs.map((log) => String(gunzipSync(log))).join('');
  for (const type of ['LaunchStarted', 'LaunchCompleted', 'DraftCancelled', 'DraftRefreshed'])
    expect(text).toContain(`"type":"${type}"`);
});

describe.each(versions)('a log of version %s', (version) => {
  let log: readonly RecordedEvent[];
  let decodable: readonly RecordedEvent[];
  const textOf = async (file: string) => String(gunzipSync(await readFile(join(RECORDED, version, file))));

  beforeAll(async () => {
    const lines = (await textOf('log.ndjson.gz')).trimEnd().split('\n');
    log = lines.map((line): RecordedEvent => deepFreeze(JSON.parse(line)));
    const given = new Set(
      log.filter(({ type }) => type === 'EventQuarantined').map(({ data }) => data.eventId),
    );
    decodable = log.filter(({ id }) => !given.has(id));
  });

  test('has runs in SOL and in the token, promotions, hidden tokens, and an event that was given up', () => {
    const types = new Set(log.map(({ type }) => type));
    for (const type of ['RunClosed', 'BatchesSettled', 'OwnersListed', 'PromotionEnded', 'TokenHidden'])
      expect(types).toContain(type);
    expect(log.length - decodable.length).toBe(1);
    const assets = log.filter(({ type }) => type === 'RunOpened').map(({ data }) => data.asset);
    expect(new Set(assets)).toEqual(new Set(['sol', 'token']));
  });

  test('was recorded in the schemas that golden files keep', () => {
    const checks = new Map<string, ValidateFunction>();
    for (const { position, type, data, metadata } of decodable) {
      const file = schemaFile({ type, version: Number(metadata.schemaVersion) });
      const validate = checks.get(file) ?? new Ajv().compile(Object(readGolden<JsonValue>(file)));
      checks.set(file, validate);
      expect([position, validate(data), validate.errors]).toEqual([position, true, null]);
    }
  });

  test('gives the same bytes of documents, wherever the version of a read model was not raised', async () => {
    const given = await documentsOf(decodable);
    const before = readDocumentLines(await textOf('documents.ndjson.gz'));
    expect(before.flatMap(({ documents }) => documents).length).toBeGreaterThan(30);
    for (const { collection, version: filled, documents } of before) {
      const now = given.find((each) => each.collection === collection);
      if (now?.version === filled) expect([collection, now.documents]).toEqual([collection, documents]);
    }
  });

  test('shows the state of every kind of stream in it, at each of its events', async () => {
    const shown = logOf(log);
    const longest = new Map<string, RecordedEvent>();
    for (const event of log) {
      const category = event.stream.slice(0, event.stream.indexOf('-'));
      if ((longest.get(category)?.revision ?? -1) < event.revision) longest.set(category, event);
    }
    expect(longest.size).toBeGreaterThan(12);
    for (const [category, last] of longest) {
      expect(streams.map((each) => each.category)).toContain(category);
      for (const event of log.filter(({ stream }) => stream === last.stream)) {
        const found = await stateOf(shown, event.stream, { at: event.revision });
        expect([found.stream, found.event.id]).toEqual([event.stream, event.id]);
        expect(() => JSON.stringify(found)).not.toThrow();
      }
    }
  });
});
