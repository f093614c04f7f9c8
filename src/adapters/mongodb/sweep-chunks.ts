/** Removes what an interrupted upload or removal left behind, once it is an hour old: files without a name, chunks without a file. */
import { ObjectId } from 'mongodb';
import { IN_TIME } from './client.ts';
import type { GridBucket } from './grid-bucket.ts';
import { TEMPORARY } from './grid-upload.ts';

const LOOKED_AT_TOGETHER = 1_000;
/** Seconds. */
const LEFT_FOR = 60 * 60;

/** Goes through the keys of an index, never through the bytes. */
export async function sweepChunks({
  files,
  chunks,
  isStopped,
}: {
  readonly isStopped: () => boolean;
} & Pick<GridBucket, 'files' | 'chunks'>): Promise<void> {
  const before = ObjectId.createFromTime(Math.floor(Date.now() / 1_000) - LEFT_FOR);
  const unnamed = { filename: { $regex: `^${TEMPORARY}` }, uploadDate: { $lt: before.getTimestamp() } };
  await files.deleteMany(unnamed, IN_TIME);
  let after: ObjectId | undefined;
  while (!isStopped()) {
    const keys = await chunks
      .find(
        { files_id: { ...(after === undefined ? {} : { $gt: after }), $lt: before } },
        {
          projection: { _id: 0, files_id: 1 },
          sort: { files_id: 1, n: 1 },
          limit: LOOKED_AT_TOGETHER,
          ...IN_TIME,
        },
      )
      .toArray();
    const last = keys.at(-1)?.files_id;
    if (last === undefined) return;
    const uploads = new Map(keys.map(({ files_id }) => [files_id.toHexString(), files_id]));
    const found = await files
      .find({ _id: { $in: [...uploads.values()] } }, { projection: { _id: 1 }, ...IN_TIME })
      .toArray();
    for (const { _id } of found) uploads.delete(_id.toHexString());
    for (const files_id of uploads.values()) {
      // An upload may take longer than an hour, but its latest chunk is new.
      const [latest] = await chunks
        .find({ files_id }, { sort: { n: -1 }, limit: 1, projection: { _id: 1 }, ...IN_TIME })
        .toArray();
      if (latest !== undefined && latest._id.getTimestamp() < before.getTimestamp())
        await chunks.deleteMany({ files_id }, IN_TIME);
    }
    // A file with more chunks than one look takes is gone through, or skipped, as a whole.
    after = last;
  }
}
