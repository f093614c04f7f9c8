/** Prints the table of variables, or writes it into the document that is named as the first argument. */
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationTable, withConfigurationTable } from './configuration-table.ts';

const document = process.argv[2];
if (document === undefined) process.stdout.write(configurationTable());
else writeFileSync(document, withConfigurationTable(readFileSync(document, 'utf8')));
