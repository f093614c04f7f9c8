/** Parses the embedded chain's additional programs and accounts: files that it reads when it starts. */
import { resolve } from 'node:path';
import { parseAddress } from 'levy-solana-wire';
import { listOf, NotAllowed, path, type ValueKind } from './value-kinds.ts';

export interface ProgramFile {
  readonly programId: string;
  /** Absolute. */
  readonly file: string;
}

const programFile: ValueKind<ProgramFile> = {
  allowed: 'a program id, `=` and the path of its ELF file (without commas)',
  unit: '',
  parse(text) {
    const [programId = '', ...rest] = text.split('=');
    const file = rest.join('=').trim();
    if (rest.length === 0) throw new NotAllowed('the `=` is missing');
    if (parseAddress(programId.trim()) === undefined)
      throw new NotAllowed('the program id is not an address');
    if (file === '') throw new NotAllowed('the path is missing');
    return { programId: programId.trim(), file: resolve(file) };
  },
};

const eachProgramFile = listOf(programFile);

export const programFiles: ValueKind<readonly ProgramFile[]> = {
  ...eachProgramFile,
  parse(text) {
    const programs = eachProgramFile.parse(text);
    const ids = new Set(programs.map(({ programId }) => programId));
    if (ids.size < programs.length) throw new NotAllowed('a program id occurs twice');
    return programs;
  },
};

export const accountFiles: ValueKind<readonly string[]> = listOf({
  ...path,
  allowed: 'the path of a JSON file, relative to the working directory or absolute (without commas)',
});
