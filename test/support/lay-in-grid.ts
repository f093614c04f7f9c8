/** Overwrites a file of GridFS in its own chunks, as anyone with write access to the database can. */
import { Binary, type Db, ObjectId } from 'mongodb';

export async function layInGrid(
  database: Db,
  bucket: string,
  filename: string,
  bytes: Uint8Array,
): Promise<void> {
  const file = await database.collection(`${bucket}.files`).findOne({ filename });
  if (file === null) throw new Error(`there is no file ${filename} in ${bucket}`);
  const chunks = database.collection(`${bucket}.chunks`);
  await chunks.deleteMany({ files_id: file._id });
  const { chunkSize } = file;
  for (let n = 0; n * chunkSize < bytes.length; n += 1) {
    const data = new Binary(Buffer.from(bytes.subarray(n * chunkSize, (n + 1) * chunkSize)));
    await chunks.insertOne({ _id: new ObjectId(), files_id: file._id, n, data });
  }
  await database.collection(`${bucket}.files`).updateOne({ filename }, { $set: { length: bytes.length } });
}
