/**
 * Adds what is missing in test/golden, removes what nothing reads any more, and changes nothing: `npm run golden`. The guards report
 * whatever else differs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/kernel/ports/event-store.ts';
import { SCHEMA_VERSION } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { projections } from '../../src/projections/index.ts';
import { exampleOf } from '../../src/reference/openapi/example-of.ts';
import {
  collectionHash,
  collectionName,
  examplesFile,
  type FoldHash,
  GOLDEN,
  HASHES,
  type Hashes,
  isThere,
  knownHashes,
  nameOf,
  type StoredType,
  schemaHash,
  snapshotHash,
  snapshotName,
  snapshottedStreams,
  storedTypes,
} from '../support/golden-files.ts';

const known: Hashes = isThere(HASHES) ? knownHashes() : { schemas: {}, snapshots: {}, collections: {} };
for (const stored of storedTypes) if (!isThere(examplesFile(stored))) writeExample(stored);
write(HASHES, {
  schemas: Object.fromEntries(
    storedTypes
      .map((stored) => [nameOf(stored), known.schemas[nameOf(stored)] ?? schemaHash(stored.schema)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ),
  snapshots: Object.fromEntries(
    snapshottedStreams.map((stream) => [
      snapshotName(stream),
      withMoreExamples(known.snapshots[snapshotName(stream)], (events) => snapshotHash(stream, events)),
    ]),
  ),
  collections: Object.fromEntries(
    projections.map((projection) => [
      collectionName(projection),
      withMoreExamples(known.collections[collectionName(projection)], (events) =>
        collectionHash(projection, events),
      ),
    ]),
  ),
});
execFileSync('npx', ['biome', 'format', '--write', GOLDEN], { stdio: 'inherit' });

/** More examples may be folded into the same; what differs for the same examples stays, for the guard to report. */
function withMoreExamples(
  before: FoldHash | undefined,
  hashed: (events?: FoldHash['events']) => FoldHash,
): JsonValue {
  const isChanged = before !== undefined && !isDeepStrictEqual(before, hashed(before.events));
  return { ...(isChanged ? before : hashed()) };
}

/** Built from the schema's own examples. */
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
