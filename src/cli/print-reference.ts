/** Writes the pages of the reference into the folder that is named as the first argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from '../reference/pages.ts';

const folder = process.argv[2] ?? 'docs/reference';
mkdirSync(folder, { recursive: true });
for (const { file, text } of referencePages()) writeFileSync(join(folder, file), text);
