/**
 * Adds the golden files that are missing, removes those that nothing reads any more, and never changes what one says: `npm run golden`. Whatever else differs is for
 * a new version, and said by test/unit/guards.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/kernel/ports/event-store.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { projections } from '../../src/projections/index.ts';
import { exampleOf } from '../../src/reference/openapi/example-of.ts';
import {
  type CollectionShape,
  examplesFile,
  examplesOf,
  foldedExamples,
  GOLDEN,
  isThere,
  readGolden,
  type StoredVersion,
  schemaFile,
  shapeFile,
  shapeOfCollection,
  shapeOfSnapshot,
  snapshotFile,
  snapshottedStreams,
  storedVersions,
  unreadFiles,
} from '../support/golden-files.ts';
import { schemaRulesOf } from '../support/schema-rules.ts';

for (const version of storedVersions) {
  if (version.schema === undefined) continue;
  if (!isThere(schemaFile(version))) write(schemaFile(version), schemaRulesOf(version.schema));
  if (!isThere(examplesFile(version))) writeExample(version);
}
for (const projection of projections) {
  const path = shapeFile(projection);
  if (isThere(path)) {
    const known = readGolden<JsonValue>(path) as unknown as CollectionShape;
    const hasGrown = !isDeepStrictEqual(known.events, foldedExamples(projection));
    if (!hasGrown || !isDeepStrictEqual(known, shapeOfCollection(projection, known.events))) continue;
  }
  write(path, shapeOfCollection(projection) as unknown as JsonValue);
}
for (const stream of snapshottedStreams) {
  if (!isThere(snapshotFile(stream)))
    write(snapshotFile(stream), shapeOfSnapshot(stream) as unknown as JsonValue);
}
for (const path of unreadFiles()) rmSync(join(GOLDEN, path));
execFileSync('npx', ['biome', 'format', '--write', GOLDEN], { stdio: 'inherit' });

/** Of what the schema's own examples say. */
function writeExample({ category, type, version, schema }: StoredVersion): void {
  if (schema === undefined) return;
  const { value: data, missing } = exampleOf(schema);
  const previous = { type, version: version - 1 };
  if (missing.length > 0 && isThere(examplesFile(previous))) {
    // A version that has only grown has the examples of the one before it; a test holds them to its schema.
    write(
      examplesFile({ type, version }),
      examplesOf(previous).map(({ metadata, ...example }) => ({
        ...example,
        metadata: { ...metadata, schemaVersion: version },
      })),
    );
    return;
  }
  if (missing.length > 0) {
    process.stderr.write(
      `${examplesFile({ type, version })} is yours to write: the schema has no example of ${missing.join(', ')}\n`,
    );
    process.exitCode = 1;
    return;
  }
  const commandId = deriveId('golden', type);
  const metadata = {
    commandId,
    inputHash: 'a'.repeat(64),
    correlationId: '0197a1f2-0000-7000-8000-000000000001',
    causationId: commandId,
    actor: 'service:example',
    occurredAt: '2026-05-04T10:00:00.000Z',
    schemaVersion: version,
  };
  write(examplesFile({ type, version }), [{ stream: `${category}-${commandId}`, type, data, metadata }]);
}

function write(path: string, content: JsonValue): void {
  mkdirSync(dirname(join(GOLDEN, path)), { recursive: true });
  writeFileSync(join(GOLDEN, path), `${JSON.stringify(content, null, 2)}\n`);
  process.stdout.write(`test/golden/${path}\n`);
}
