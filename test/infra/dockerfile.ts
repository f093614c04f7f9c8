/** Reads the image's Dockerfile into stages and instructions, and says what of the repository reaches its build. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Instruction {
  readonly word: string;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage that it is copied from; undefined from the repository. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function readDockerfile(): readonly Stage[] {
  const lines = readFileSync(`${ROOT}infra/Dockerfile`, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const [base = '', , name = ''] = text.split(' ');
    if (word === 'FROM') stages.push({ base, name, instructions: [] });
    else stages.at(-1)?.instructions.push({ word, text });
  }
  return stages;
}

export function textsOf(stage: Stage, word: string): readonly string[] {
  return stage.instructions.filter((instruction) => instruction.word === word).map(({ text }) => text);
}

export function copiesOf(stage: Stage): readonly Copy[] {
  return textsOf(stage, 'COPY').map((text) => {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
    const all = paths.split(' ');
    return { from, sources: all.slice(0, -1), target: all.at(-1) ?? '' };
  });
}

/** `ENV`'s names and values, of the last stage. */
export function imageEnvironment(): { readonly [name: string]: string } {
  const stage = readDockerfile().at(-1);
  const pairs = stage === undefined ? [] : textsOf(stage, 'ENV').flatMap((text) => text.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));
}

/** Whether `.dockerignore` keeps the path out. The last line that fits it or a folder above it decides. */
export function isIgnored(path: string): boolean {
  const lines = readFileSync(`${ROOT}.dockerignore`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  let ignored = false;
  for (const line of lines) {
    const pattern = line
      .replace(/^!/, '')
      .replace(/[.+^$()|[\]{}]/g, '\\$&')
      .replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
    if (new RegExp(`^${pattern}(?:/|$)`).test(path)) ignored = !line.startsWith('!');
  }
  return ignored;
}
