/** Mutants that remove one entry of a top-level table. Tables take effect while their file is loaded, so switches cannot change them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** @returns mutants, each with the whole source that replaces the file */
export function removedEntries(root, named) {
  return named.flatMap(({ path, lines: [first, last] = [1, Number.POSITIVE_INFINITY] }) => {
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const tables = parsed.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations.map(({ initializer }) => initializer));
    return tables.flatMap(entriesOf).flatMap((entry) => {
      const start = entry.getStart();
      const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
      if (line < first || line > last) return [];
      const rest = text.slice(entry.end).replace(/^\s*,/, '');
      const source = { [file]: `${text.slice(0, start)}${rest}` };
      const original = entry.getText().replace(/\s+/g, ' ');
      return [{ id: `${path}-${start}`, path, line, original, replacement: '(no such entry)', source }];
    });
  });
}

/** Entries of an array or object literal, also inside a set or map. */
function entriesOf(node) {
  if (node === undefined) return [];
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return entriesOf(node.expression);
  if (ts.isNewExpression(node)) return (node.arguments ?? []).flatMap(entriesOf);
  if (ts.isObjectLiteralExpression(node)) return [...node.properties];
  return ts.isArrayLiteralExpression(node) ? [...node.elements] : [];
}
