/** Writes the reference pages into the folder in the first argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../src/levy/program.ts';
import { commandPage } from '../src/levy/reference-page.ts';
import { referencePages } from '../src/reference/pages.ts';

const folder = process.argv[2] ?? 'docs/reference';
mkdirSync(folder, { recursive: true });
for (const { file, text } of [...referencePages(), commandPage(createProgram(process).program)])
  writeFileSync(join(folder, file), text);
