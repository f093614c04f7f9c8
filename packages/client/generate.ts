/** Makes the client's types from the API's description: `npm run client` writes them, a test compares. */
import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import { createOpenApiDocument } from '../../src/reference/openapi/document.ts';

export const SCHEMA_FILE = fileURLToPath(new URL('src/schema.ts', import.meta.url));

const HEADER =
  '// Types of every call of the API, generated from its description by `npm run client`: do not edit.\n\n';

/** The source text of the types. */
export async function generateSchema(): Promise<string> {
  const document = createOpenApiDocument({
    routes: [...commands, ...queries],
    // Neither is part of the types.
    version: '0.0.0',
    publicUrl: 'http://127.0.0.1:3000',
  });
  const nodes = await openapiTS(JSON.stringify(document, withoutExamples), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  return HEADER + astToString(nodes);
}

/** They are for readers of the reference; as comments of types they only hide them. */
function withoutExamples(keyword: string, value: unknown): unknown {
  return keyword === 'example' || keyword === 'examples' ? undefined : value;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(SCHEMA_FILE, await generateSchema());
