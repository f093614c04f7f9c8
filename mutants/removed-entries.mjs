/** The named files without one entry of a table at their top level: what a file's tables say takes effect while it is loaded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** @returns each as a change with the whole source that takes the file's place */
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

/** Those of a literal, also where it is frozen or made a set or map. */
function entriesOf(node) {
  if (node === undefined) return [];
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return entriesOf(node.expression);
  if (ts.isNewExpression(node)) return (node.arguments ?? []).flatMap(entriesOf);
  if (ts.isObjectLiteralExpression(node)) return [...node.properties];
  return ts.isArrayLiteralExpression(node) ? [...node.elements] : [];
}
