/**
 * Holds what house.json lists: files and exports of each module, decisions inside a call, and decisions that no unit test names. A commit
 * may raise a number or add a name only by saying why.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, textOf } from './source-files.ts';

interface House {
  /** At most; a module is a folder of `src`, an adapter, or a package. */
  readonly modules: { readonly [module: string]: { readonly files: number; readonly exports: number } };
  /** Files in which a stream is decided on inside the call: the decision has no name, so no test of its own. */
  readonly namelessDecisions: readonly string[];
  /** Exported for another file of their module, and tested by what that does. */
  readonly decisionsTestedByTheirCallers: readonly string[];
}

const listed: House = JSON.parse(readFileSync(new URL('house.json', import.meta.url), 'utf8'));

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

function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
}

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
    const most = listed.modules[module];
    return most === undefined || files > most.files || exports > most.exports;
  });
  expect(Object.fromEntries(grown)).toEqual({});
});

test('what is decided on a stream has a name, but in files that are listed', () => {
  const found = sources.filter(({ tree }) => {
    let isNameless = false;
    visitAll(tree, (node) => {
      if (!ts.isCallExpression(node) || !/\bexecute$/.test(node.expression.getText())) return;
      isNameless ||= node.arguments.some((given) => ts.isArrowFunction(given) && ts.isBlock(given.body));
    });
    return isNameless;
  });
  expect(found.map(({ file }) => file)).toEqual(listed.namelessDecisions);
});

test('every decision is named in a unit test, but for those that are listed', () => {
  const tests = [
    ...filesBelow('test/unit'),
    ...filesBelow('packages/local-chain/test'),
    ...filesBelow('packages/solana-wire/test'),
  ]
    .map(textOf)
    .join('\n');
  const decisions = sources.flatMap(({ file, tree }) =>
    tree.statements
      .filter(ts.isFunctionDeclaration)
      .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      .map(({ name }) => name?.getText() ?? '')
      .filter((name) => /^(decide|judge)[A-Z]/.test(name))
      .map((name) => ({ place: `${file}#${name}`, isTested: new RegExp(`\\b${name}\\b`).test(tests) })),
  );
  expect(decisions.filter(({ isTested }) => !isTested).map(({ place }) => place)).toEqual(
    listed.decisionsTestedByTheirCallers,
  );
});
