/**
 * The API's description as its page needs it: calls go to where the page came from, and nothing that may be left out is filled in
 * beforehand. The page sends examples as they stand, and those of a position or a key would be refused.
 */

interface Parameter {
  readonly required?: boolean;
  example?: unknown;
}

interface Form {
  example?: unknown;
  encoding?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: Form } };
}

interface Description {
  servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly parameters?: { readonly [name: string]: Parameter } };
}

/** `openApi` is the whole document's text, `publicPath` the path under which a proxy serves the service. */
export function docsDescription(openApi: string, publicPath: string): string {
  const description: Description = JSON.parse(openApi);
  description.servers = [{ url: `${publicPath}/` }];
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  const parameters = [
    ...Object.values(description.components.parameters ?? {}),
    ...operations.flatMap(({ parameters: own }) => own ?? []),
  ];
  for (const parameter of parameters) if (parameter.required !== true) delete parameter.example;
  for (const { requestBody } of operations) {
    const form = requestBody?.content['multipart/form-data'];
    if (form === undefined) continue;
    // The page would send this text in the place of a file, with both types.
    delete form.example;
    delete form.encoding;
  }
  return JSON.stringify(description);
}
