/** Writes the pages of the reference into the folder that is named as the first argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from '../reference/pages.ts';
import { createProgram } from './levy/program.ts';
import { commandPage } from './levy/reference-page.ts';

const folder = process.argv[2] ?? 'docs/reference';
mkdirSync(folder, { recursive: true });
for (const { file, text } of [...referencePages(), commandPage(createProgram(process).program)])
  writeFileSync(join(folder, file), text);
