/** Parses values of this service only: files of the embedded chain, the transparency log, its witnesses, and token issuers. */
import { resolve } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { parseAddress } from 'levy-solana-wire';
import { COSIGNATURE, isKeyName, NoteInvalid, parseVerifierKey } from 'levy-transparency-log';
import { parsedJson } from '../../kernel/runtime/bounded-input.ts';
import type { WitnessAddress } from '../../proof/transparency/witness.ts';
import {
  type AcceptedIssuer,
  AcceptedIssuers,
  acceptedIssuerProblems,
} from '../../server/auth/accepted-issuers.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

interface ProgramFile {
  readonly programId: string;
  /** Absolute. */
  readonly file: string;
}

interface ChainFiles {
  readonly programs: readonly ProgramFile[];
  /** Absolute paths. */
  readonly accounts: readonly string[];
}

const chainFile: ValueKind<ProgramFile | string> = {
  allowed:
    'the path of a JSON file with an account; or a program id, `=` and the path of its ELF file (no path may contain a comma, and the path of an account no `=`)',
  parse(text) {
    const [programId = '', ...rest] = text.split('=');
    if (rest.length === 0) return resolve(text);
    const file = rest.join('=').trim();
    if (parseAddress(programId.trim()) === undefined)
      throw new NotAllowed('the program id must be an address');
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

const MAX_NAME = 200;

export const logName: ValueKind<string> = {
  allowed: 'a name such as `levy.example/log`: 1 to 200 characters without blanks and plus signs',
  parse(text) {
    if (!isKeyName(text) || text.length > MAX_NAME) throw new NotAllowed();
    return text;
  },
};

const witness: ValueKind<WitnessAddress> = {
  allowed: 'the verifier key of a witness, a space and the http(s) address for submissions',
  parse(text) {
    const [key = '', url = '', ...more] = text.split(/\s+/);
    if (more.length > 0 || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw new NotAllowed();
    try {
      const parsed = parseVerifierKey(key);
      if (parsed.type !== COSIGNATURE) throw new NotAllowed('the key must be a cosignature key (type 4)');
      return { key: parsed, url };
    } catch (error) {
      if (error instanceof NoteInvalid) throw new NotAllowed(error.message);
      throw error;
    }
  },
};

export const witnessList = listOf(witness, [{ key: ({ key }) => key.name, problem: 'a name occurs twice' }]);

export const issuers: ValueKind<readonly AcceptedIssuer[]> = {
  allowed: 'a JSON array of `{"issuer", "jwksUrl", "algorithms": [...], "audience", "walletClaim"}`',
  confidential: true,
  parse(text) {
    const found = parsedJson(text);
    if (found === undefined) throw new NotAllowed('it must be JSON');
    if (!Value.Check(AcceptedIssuers, found)) {
      const { path: at, message } = Value.Errors(AcceptedIssuers, found).First() ?? {
        path: '',
        message: 'it must be such an array',
      };
      throw new NotAllowed(`${at === '' ? '' : `${at}: `}${message}`);
    }
    // The own issuer depends on the public address; `openAccessTokens` compares it later.
    const problems = acceptedIssuerProblems(found, '');
    if (problems.length > 0) throw new NotAllowed(problems.join('; '));
    return found;
  },
};
