/** Makes the client's types from the API's description: `npm run client`, which every build and `npm run typecheck` begin with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const SCHEMA_FILE = fileURLToPath(new URL('src/schema.ts', import.meta.url));

const HEADER =
  '// Types of every call of the API, generated from its description by `npm run client`: do not edit.\n\n';

/** The source text of the types. `description` is the OpenAPI document as JSON text. */
async function generateSchema(description: string): Promise<string> {
  const document = withSharedRefusals(JSON.parse(description, withoutExamples));
  const nodes = await openapiTS(JSON.stringify(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A request may leave out a member that has a default.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  return HEADER + astToString(nodes);
}

interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: object;
}

interface Operation {
  responses: { [status: string]: object };
}

/** Without examples, the refusals of many routes are the same: as types they are written once. */
function withSharedRefusals({ components, ...rest }: Description): object {
  const shared: { [name: string]: object } = {};
  for (const operation of Object.values(rest.paths).flatMap((methods) => Object.values(methods))) {
    // Every refusal without a status of its own is the same problem, as which the client reads them all.
    const { default: _others, ...responses } = operation.responses;
    operation.responses = responses;
    for (const [status, response] of Object.entries(responses)) {
      const { 'x-codes': codes, content } = response as { 'x-codes'?: string[]; content: object };
      if (codes === undefined || Object.keys(content).length > 1) continue;
      const name = [...codes, status].join('_');
      shared[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return { ...rest, components: { ...components, responses: shared } };
}

/** They are for readers of the reference; as comments of types they only hide them. */
function withoutExamples(keyword: string, value: unknown): unknown {
  return keyword === 'example' || keyword === 'examples' ? undefined : value;
}

const [, , file] = argv;
if (file === undefined) throw new Error('name the file of the OpenAPI document as the first argument');
writeFileSync(SCHEMA_FILE, await generateSchema(readFileSync(file, 'utf8')));
