/** Writes and reads the files of a backup as a tar stream. */
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { BackupEntry } from './take-backup.ts';

export async function* tarOf(entries: AsyncIterable<BackupEntry>): AsyncGenerator<Uint8Array, void> {
  const { readable, controller } = createTarPacker();
  const packing = pack(entries, controller);
  try {
    yield* readable;
  } finally {
    // Leaving the loop cancels the stream, which ends the packing at its next piece.
    await packing;
  }
}

async function pack(
  entries: AsyncIterable<BackupEntry>,
  controller: ReturnType<typeof createTarPacker>['controller'],
): Promise<void> {
  try {
    for await (const { path, size, chunks } of entries) {
      const writer = controller.add({ name: path, size, mode: 0o600 }).getWriter();
      for await (const piece of chunks) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  } catch (error) {
    controller.error(error);
  }
}

/**
 * Throws `OperatorError` for bytes that are not a tar archive of files, or that end early. Each entry must be read
 * before the next.
 */
export async function* entriesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupEntry, void> {
  const decoded = ReadableStream.from(bytes).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of requireComplete(decoded)) {
    const { name, type, size } = header;
    if (type !== 'file')
      throw new OperatorError(
        `the backup contains a ${type}, ${JSON.stringify(name)}; only files are allowed`,
      );
    yield { path: name, size, chunks: requireComplete(body) };
  }
}

async function* requireComplete<Part>(parts: ReadableStream<Part>): AsyncGenerator<Part, void> {
  try {
    yield* parts;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new OperatorError(`the backup is incomplete${reason} and was discarded; try again`, {
      cause: error,
    });
  }
}
