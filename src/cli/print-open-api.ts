/** Writes the API's description, with the routes of operators, to the file that is named as the first argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { VERSION } from '../app/version.ts';
import { configuredLimits } from '../commands/configured-limits.ts';
import { commands } from '../commands/index.ts';
import { readConfiguration } from '../config/configuration.ts';
import { queries } from '../queries/index.ts';
import { createOpenApiDocument } from '../reference/openapi/document.ts';

const file = process.argv[2] ?? 'dist/openapi.json';
const document = createOpenApiDocument({
  routes: [...commands, ...queries],
  version: VERSION,
  publicUrl: 'http://127.0.0.1:3000',
  limits: configuredLimits(readConfiguration({})),
});
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
