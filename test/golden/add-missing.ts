/**
 * Adds what is missing in test/golden, removes what nothing reads any more, and changes nothing: `npm run golden`. The guards report
 * whatever else differs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/kernel/ports/event-store.ts';
import { SCHEMA_VERSION } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { projections } from '../../src/projections/index.ts';
import { exampleOf } from '../../src/reference/openapi/example-of.ts';
import {
  type CollectionShape,
  examplesFile,
  foldedExamples,
  GOLDEN,
  HASHES,
  type Hashes,
  isThere,
  knownHashes,
  nameOf,
  readGolden,
  type StoredType,
  schemaHash,
  shapeFile,
  shapeOfCollection,
  snapshotHash,
  snapshotName,
  snapshottedStreams,
  storedTypes,
  unreadFiles,
} from '../support/golden-files.ts';

const known: Hashes = isThere(HASHES) ? knownHashes() : { schemas: {}, snapshots: {} };
for (const stored of storedTypes) if (!isThere(examplesFile(stored))) writeExample(stored);
for (const projection of projections) {
  const path = shapeFile(projection);
  if (isThere(path)) {
    const before = readGolden<JsonValue>(path) as unknown as CollectionShape;
    const hasGrown = !isDeepStrictEqual(before.events, foldedExamples(projection));
    if (!hasGrown || !isDeepStrictEqual(before, shapeOfCollection(projection, before.events))) continue;
  }
  write(path, shapeOfCollection(projection) as unknown as JsonValue);
}
write(HASHES, {
  schemas: Object.fromEntries(
    storedTypes
      .map((stored) => [nameOf(stored), known.schemas[nameOf(stored)] ?? schemaHash(stored.schema)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ),
  snapshots: Object.fromEntries(
    snapshottedStreams.map((stream) => [snapshotName(stream), snapshotHashOf(stream)]),
  ),
});
for (const path of unreadFiles()) rmSync(join(GOLDEN, path));
execFileSync('npx', ['biome', 'format', '--write', GOLDEN], { stdio: 'inherit' });

/** More examples may be folded into the same states. */
function snapshotHashOf(stream: (typeof snapshottedStreams)[number]): JsonValue {
  const before = known.snapshots[snapshotName(stream)];
  const isChanged = before !== undefined && !isDeepStrictEqual(before, snapshotHash(stream, before.events));
  return { ...(isChanged ? before : snapshotHash(stream)) };
}

/** Of what the schema's own examples say. */
function writeExample({ category, type, schema }: StoredType): void {
  const { value: data, missing } = exampleOf(schema);
  if (missing.length > 0) {
    process.stderr.write(
      `${examplesFile({ type })} is yours to write: the schema has no example of ${missing.join(', ')}\n`,
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
    schemaVersion: SCHEMA_VERSION,
  };
  write(examplesFile({ type }), [{ stream: `${category}-${commandId}`, type, data, metadata }]);
}

function write(path: string, content: JsonValue): void {
  mkdirSync(dirname(join(GOLDEN, path)), { recursive: true });
  writeFileSync(join(GOLDEN, path), `${JSON.stringify(content, null, 2)}\n`);
  process.stdout.write(`test/golden/${path}\n`);
}
