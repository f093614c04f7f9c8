/** New `.env` of an operator: the example with passwords filled in. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readComposeFile } from './compose-file.ts';

export const INFRA = fileURLToPath(new URL('../../infra/', import.meta.url));

export const exampleVariables: { readonly [name: string]: string } = Object.fromEntries(
  readFileSync(`${INFRA}.env.example`, 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return [name, value];
    }),
);

export const choices: { readonly [name: string]: string } = Object.fromEntries(
  Object.entries(exampleVariables).map(([name, value]) => [
    name,
    name.endsWith('_PASSWORD') ? `p-of-${name}` : value,
  ]),
);

export const composeFiles = ['compose.yaml', 'cluster/compose.yaml'].map((name) => ({
  name,
  file: `${INFRA}${name}`,
  compose: readComposeFile(`${INFRA}${name}`, choices),
}));
