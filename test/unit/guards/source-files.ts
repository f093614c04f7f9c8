// The files of a folder of this project, as text and as modules, for the tests that keep registries complete.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths from the project's root, in order, of all files below the folder whose names end so. */
export function filesBelow(folder: string, ending = '.ts'): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export async function exportsOf(path: string): Promise<readonly unknown[]> {
  const module: { readonly [name: string]: unknown } = await import(pathToFileURL(join(ROOT, path)).href);
  return Object.values(module);
}
