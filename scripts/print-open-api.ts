/** Writes the API description, with the operators' routes, to the file in the first argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { VERSION } from '../src/app/version.ts';
import { configuredLimits } from '../src/commands/configured-limits.ts';
import { commands } from '../src/commands/index.ts';
import { readConfiguration } from '../src/operations/config/configuration.ts';
import { queries } from '../src/queries/index.ts';
import { createOpenApiDocument } from '../src/reference/openapi/document.ts';

const file = process.argv[2] ?? 'dist/openapi.json';
const document = createOpenApiDocument({
  routes: [...commands, ...queries],
  version: VERSION,
  publicUrl: 'http://127.0.0.1:3000',
  limits: configuredLimits(readConfiguration({})),
});
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
