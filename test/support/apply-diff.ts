/**
 * Applies the diffs that a page of documentation shows. Line numbers are not looked at: a hunk goes where its lines are, so
 * that a change elsewhere in the file does not break the page.
 */

export interface FileDiff {
  /** From the project's root. */
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The files of a diff, each begun by `+++ b/<path>`. */
export function readDiff(diff: string): readonly FileDiff[] {
  const files = diff.split(/^\+\+\+ b\//m).slice(1);
  return files.map((file) => {
    const [path = '', ...lines] = file.replace(/\n$/, '').split('\n');
    const hunks = lines
      .join('\n')
      .split(/^@@.*\n/m)
      .slice(1)
      .map((hunk) => readHunk(hunk.replace(/\n$/, '').split('\n')));
    return { path: path.trim(), hunks };
  });
}

function readHunk(lines: readonly string[]): Hunk {
  const of = (...signs: readonly string[]) =>
    lines
      .map((line) => (line === '' ? ' ' : line))
      .filter((line) => signs.includes(line.charAt(0)))
      .map((line) => line.slice(1));
  return { before: of(' ', '-'), after: of(' ', '+') };
}

/** Throws where the lines of a hunk are not there, or more than once. `text` is undefined for a file that is added. */
export function applyDiff(text: string | undefined, { path, hunks }: FileDiff): string {
  if (text === undefined) {
    const isWhole = hunks.length === 1 && hunks.every(({ before }) => before.length === 0);
    if (!isWhole) throw new Error(`${path} is not there`);
    return `${hunks.flatMap(({ after }) => after).join('\n')}\n`;
  }
  let lines = text.split('\n');
  for (const { before, after } of hunks) {
    const places = lines.flatMap((_line, at) =>
      before.every((line, index) => lines[at + index] === line) ? [at] : [],
    );
    const [at] = places;
    if (at === undefined || places.length > 1)
      throw new Error(`${path} has ${places.length} places for this:\n${before.join('\n')}`);
    lines = [...lines.slice(0, at), ...after, ...lines.slice(at + before.length)];
  }
  return lines.join('\n');
}
