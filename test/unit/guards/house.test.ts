/**
 * The house gets lighter: functions and files that are longer than a reader takes in, decisions inside a call, and decisions
 * without a unit test are listed in house.json. The list may only shrink: who adds to it says why in the commit.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, textOf } from './source-files.ts';

const MOST_LINES_OF_FUNCTION = 70;
const MOST_LINES_OF_FILE = 300;

/** Numbers of lines by `file#function` and by file; names. */
interface House {
  readonly longFunctions: { readonly [place: string]: number };
  readonly longFiles: { readonly [file: string]: number };
  /** Files in which a stream is decided on inside the call: the decision has no name, so no test of its own. */
  readonly namelessDecisions: readonly string[];
  readonly untestedDecisions: readonly string[];
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

function linesOf(first: ts.Node, last = first): number {
  const tree = first.getSourceFile();
  const line = (place: number) => tree.getLineAndCharacterOfPosition(place).line;
  return line(last.getEnd()) - line(first.getStart()) + 1;
}

/** From the first statement that is no import. */
function linesAfterImports({ statements }: ts.SourceFile): number {
  const first = statements.find((statement) => !ts.isImportDeclaration(statement));
  const last = statements.at(-1);
  return first === undefined || last === undefined ? 0 : linesOf(first, last);
}

/** A function without a name has that of what it is given to. */
function nameOf(node: ts.Node): string {
  for (let at = node; at !== undefined; at = at.parent) {
    const { name } = at as { readonly name?: ts.Node };
    if (name !== undefined) return name.getText();
    if (ts.isCallExpression(at)) return at.expression.getText();
  }
  return 'anonymous';
}

test('a function fits on a screen, but for those that are listed, each with its lines', () => {
  const found = sources.flatMap(({ file, tree }) => {
    const long: [string, number][] = [];
    visitAll(tree, (node) => {
      if (!ts.isFunctionLike(node) || linesOf(node) <= MOST_LINES_OF_FUNCTION) return;
      long.push([`${file}#${nameOf(node)}`, linesOf(node)]);
    });
    return long;
  });
  expect(Object.fromEntries(found)).toEqual(listed.longFunctions);
});

test('a file is read in one go, but for those that are listed, each with its lines', () => {
  const found = sources
    // Its imports are skipped: they grow and shrink as files move.
    .map(({ file, tree }) => [file, linesAfterImports(tree)] as const)
    .filter(([, lines]) => lines > MOST_LINES_OF_FILE);
  expect(Object.fromEntries(found)).toEqual(listed.longFiles);
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
    listed.untestedDecisions,
  );
});
