/** Parses what concerns the transparency log: its name, and its witnesses. */
import { COSIGNATURE, isKeyName, NoteInvalid, parseVerifierKey } from 'levy-transparency-log';
import type { WitnessAddress } from '../../proof/transparency/witness.ts';
import { listOf, NotAllowed, type ValueKind } from './value-kinds.ts';

const LONGEST_NAME = 200;

export const logName: ValueKind<string> = {
  allowed: 'a name such as `levy.example/log`: 1 to 200 characters without blanks and plus signs',
  unit: '',
  parse(text) {
    if (!isKeyName(text) || text.length > LONGEST_NAME) throw new NotAllowed();
    return text;
  },
};

const witness: ValueKind<WitnessAddress> = {
  allowed: 'the verifier key of a witness, a blank and the http(s) address that takes its submissions',
  unit: '',
  parse(text) {
    const [key = '', url = '', ...more] = text.split(/\s+/);
    if (more.length > 0 || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw new NotAllowed();
    try {
      const parsed = parseVerifierKey(key);
      if (parsed.type !== COSIGNATURE) throw new NotAllowed('the key is not one for cosignatures (type 4)');
      return { key: parsed, url };
    } catch (error) {
      if (error instanceof NoteInvalid) throw new NotAllowed(error.message);
      throw error;
    }
  },
};

const witnesses = listOf(witness);

export const witnessList: ValueKind<readonly WitnessAddress[]> = {
  ...witnesses,
  parse(text) {
    const found = witnesses.parse(text);
    if (new Set(found.map(({ key }) => key.name)).size < found.length)
      throw new NotAllowed('a name occurs twice');
    return found;
  },
};
