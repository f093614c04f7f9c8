/** Parses the embedded chain's additional programs and accounts: files that it reads when it starts. */
import { resolve } from 'node:path';
import { parseAddress } from 'levy-solana-wire';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

export interface ProgramFile {
  readonly programId: string;
  /** Absolute. */
  readonly file: string;
}

export interface ChainFiles {
  readonly programs: readonly ProgramFile[];
  /** Absolute paths. */
  readonly accounts: readonly string[];
}

const chainFile: ValueKind<ProgramFile | string> = {
  allowed:
    'the path of a JSON file with an account; or a program id, `=` and the path of its ELF file (paths without commas, that of an account without `=`)',
  unit: '',
  parse(text) {
    const [programId = '', ...rest] = text.split('=');
    if (rest.length === 0) return resolve(text);
    const file = rest.join('=').trim();
    if (parseAddress(programId.trim()) === undefined)
      throw new NotAllowed('the program id is not an address');
    if (file === '') throw new NotAllowed('the path is missing');
    return { programId: programId.trim(), file: resolve(file) };
  },
};

const eachFile = listOf(chainFile);

export const chainFiles: ValueKind<ChainFiles> = {
  ...eachFile,
  parse(text) {
    const files = eachFile.parse(text);
    const programs = files.filter((file) => typeof file !== 'string');
    const ids = new Set(programs.map(({ programId }) => programId));
    if (ids.size < programs.length) throw new NotAllowed('a program id occurs twice');
    return { programs, accounts: files.filter((file) => typeof file === 'string') };
  },
};
