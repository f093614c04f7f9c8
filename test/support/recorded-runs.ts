/** Writes runs of a distribution into the log and the ledger store of a test's service, as an engine would have. */
import { join } from 'node:path';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { categoryOfType, type LevyEvent, streams } from '../../src/streams/index.ts';
import type { GeneratedRun } from './generated-runs.ts';
import type { TestService } from './service.ts';

export interface RunRecorder {
  /** In the stream of the token's distribution, or of the run that the event is about. Resolves with its position. */
  record(tokenId: string, event: LevyEvent, occurredAt?: string): Promise<string>;
  /** The files first; then the events that `isRecorded` takes. Resolves with the last position. */
  recordRun(tokenId: string, run: GeneratedRun, isRecorded?: (event: LevyEvent) => boolean): Promise<string>;
}

export function createRunRecorder(service: Pick<TestService, 'append' | 'folder'>): RunRecorder {
  const codec = createEventCodec(streams);
  const lengths = new Map<string, number>();

  async function record(tokenId: string, event: LevyEvent, occurredAt = new Date().toISOString()) {
    const category = categoryOfType.get(event.type) ?? '';
    const { runId = '' } = event.data as { readonly runId?: string };
    const stream = `${category}-${category === 'run' ? runId : tokenId}`;
    const length = lengths.get(stream) ?? 0;
    const commandId = deriveId('example', stream, String(length));
    const encoded = codec.encode(category, deriveId('event', commandId), event, {
      commandId,
      inputHash: '',
      correlationId: 'example',
      causationId: commandId,
      actor: 'service:distributor',
      occurredAt,
    });
    const result = await service.append(stream, length === 0 ? 'none' : length - 1, [encoded]);
    if (result.outcome !== 'appended') throw new Error(`${stream} is longer than it should be`);
    lengths.set(stream, length + 1);
    return result.position;
  }

  return {
    record,
    async recordRun(tokenId, { allotment, settlement, events }, isRecorded = () => true) {
      const blobs = await openFileBlobStore(join(service.folder, 'ledgers'));
      for (const { bytes } of [allotment, settlement]) await blobs.put([bytes]);
      await blobs.close();
      let position = '';
      for (const { event, occurredAt } of events)
        if (isRecorded(event)) position = await record(tokenId, event, occurredAt);
      return position;
    },
  };
}
