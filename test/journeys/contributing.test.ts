/** The examples of CONTRIBUTING compile. Only the files that they change are checked: the rest is what it was. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { applied, examples, ROOT } from '../support/contributing-examples.ts';

/** Shared by the examples: most files are the same. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function problemsOf(changed: ReadonlyMap<string, string>): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => changed.has(path) || fileExists(path);
  host.readFile = (path) => changed.get(path) ?? readFile(path);
  host.getSourceFile = (path, language) => {
    const text = changed.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, language);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, language));
    return parsed.get(path);
  };
  const program = ts.createProgram([...changed.keys()], options, host);
  return [...changed.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return problems.map(({ start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${path.slice(ROOT.length)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

test.each(examples)('the example that begins with $path compiles', (...example) => {
  expect(problemsOf(applied(example))).toEqual([]);
});
