/**
 * Makes all files in which SecantusDB keeps documents. It makes each when the first collection that belongs there is
 * written, and one that is killed meanwhile does not start again, which a MongoDB would.
 */
import { MongoClient } from 'mongodb';

const FILES = 16;
const DATABASE = 'files';

export async function makeSecantusDbFiles(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const database = client.db(DATABASE);
    for (const name of oneCollectionInEach()) await database.createCollection(name);
  } finally {
    await client.close();
  }
}

function oneCollectionInEach(): Iterable<string> {
  const found = new Map<number, string>();
  for (let n = 0; found.size < FILES; n += 1) found.set(fileOf(`c${n}`), `c${n}`);
  return found.values();
}

/** As the server chooses it: FNV-1a of the database and the collection. */
function fileOf(collection: string): number {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(`${DATABASE}\0${collection}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return Number(hash % BigInt(FILES));
}
