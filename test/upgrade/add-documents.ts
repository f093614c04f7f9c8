/**
 * Writes `documents.ndjson` beside a recorded log that has none. Run it on the version that recorded the log:
 *
 *     npx tsx --conditions=levy-source test/upgrade/add-documents.ts test/upgrade/recorded/<commit>
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { documentLines, documentsOf } from './recorded-documents.ts';

const folder = resolve(process.argv[2] ?? '');
const log = (await readFile(join(folder, 'log.ndjson'), 'utf8')).trimEnd().split('\n');
const lines = documentLines(await documentsOf(log.map((line) => JSON.parse(line))));
// What stands there is what an earlier version made, and stays.
await writeFile(join(folder, 'documents.ndjson'), lines, { flag: 'wx' });
