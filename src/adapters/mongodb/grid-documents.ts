/** The documents of GridFS, in the form that the tools of MongoDB know. */
import type { Binary, ObjectId } from 'mongodb';

export interface GridFile {
  readonly _id: ObjectId;
  readonly filename: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly metadata: { readonly keptAt: Date; readonly contentType?: string };
}

export interface GridChunk {
  readonly _id: ObjectId;
  readonly files_id: ObjectId;
  readonly n: number;
  readonly data: Binary;
}
