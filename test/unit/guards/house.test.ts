/** Holds the numbers of files and exports of each module to what house.json lists. A commit may raise a number only by saying why. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, textOf } from './source-files.ts';

/** At most; a module is a folder of `src`, an adapter, or a package. */
const listed: { readonly [module: string]: { readonly files: number; readonly exports: number } } =
  JSON.parse(readFileSync(new URL('house.json', import.meta.url), 'utf8'));

const GENERATED = 'packages/client/src/schema.ts';
const sources = [
  'src',
  'examples',
  'scripts',
  'packages/client/src',
  'packages/local-chain/src',
  'packages/solana-wire/src',
  'packages/transparency-log/src',
]
  .flatMap((folder) => filesBelow(folder))
  .filter((file) => file !== GENERATED)
  .map((file) => ({ file, tree: ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true) }));

function moduleOf(file: string): string {
  const [top = '', second = '', third = ''] = file.split('/');
  if (top !== 'src' && top !== 'packages') return top;
  return second === 'adapters' ? `${top}/${second}/${third}` : `${top}/${second}`;
}

function exportsOf({ statements }: ts.SourceFile): number {
  return statements.reduce((sum, statement) => {
    if (ts.isExportDeclaration(statement))
      return (
        sum +
        (statement.exportClause && ts.isNamedExports(statement.exportClause)
          ? statement.exportClause.elements.length
          : 1)
      );
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return sum;
    return sum + (ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1);
  }, 0);
}

test('a module has no more files and exports than are listed', () => {
  const found: Record<string, { files: number; exports: number }> = {};
  for (const { file, tree } of sources) {
    const { files, exports } = found[moduleOf(file)] ?? { files: 0, exports: 0 };
    found[moduleOf(file)] = { files: files + 1, exports: exports + exportsOf(tree) };
  }
  const grown = Object.entries(found).filter(([module, { files, exports }]) => {
    const most = listed[module];
    return most === undefined || files > most.files || exports > most.exports;
  });
  expect(Object.fromEntries(grown)).toEqual({});
});
