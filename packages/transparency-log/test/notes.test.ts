// Notes, keys, checkpoints, proofs and policies: what each accepts, and each reason for which one is refused.
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { verify } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  COSIGNATURE,
  cosignatureTime,
  ED25519,
  fromBase64,
  fromHex,
  isSignedBy,
  leafHash,
  NoteInvalid,
  noteKey,
  noteOf,
  parseCheckpoint,
  parseCheckpointText,
  parseNote,
  parsePolicy,
  parseSignature,
  parseTlogProof,
  parseVerifierKey,
  policyOfLog,
  requireIncluded,
  requirePolicy,
  rootOf,
  signatureLine,
  signCheckpoint,
  tlogProofText,
  toBase64,
  toHex,
  verifierKey,
} from '../src/index.ts';
import { signerOf } from './signers.ts';

const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE =
  'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
const utf8 = (text: string) => new TextEncoder().encode(text);

/** The message of the refusal. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(NoteInvalid);
    return (error as NoteInvalid).message;
  }
  return 'accepted';
}

describe('a note', () => {
  test('of the specification is signed by its key, and no other text is', () => {
    const key = parseVerifierKey(KEY);
    expect(verifierKey(key)).toBe(KEY);
    expect(isSignedBy(parseNote(NOTE), key)).toBe(true);
    expect(isSignedBy(parseNote(NOTE.replace('message', 'massage')), key)).toBe(false);
  });

  test('is written as it was read', () => {
    const { text, signatures } = parseNote(NOTE);
    expect(
      noteOf(
        text,
        signatures.map(({ line }) => line),
      ),
    ).toBe(NOTE);
    const [signature] = signatures;
    expect(signature && signatureLine(parseVerifierKey(KEY), signature.bytes)).toBe(signature?.line);
  });

  test('is not signed by a key of another name, and not if one of two signatures of the key is wrong', () => {
    const { name, type, publicKey } = parseVerifierKey(KEY);
    const note = parseNote(NOTE);
    expect(isSignedBy(note, noteKey(`${name}2`, type, publicKey))).toBe(false);
    const [right] = note.signatures;
    if (right === undefined) throw new Error('the note has a signature');
    const wrong = { ...right, bytes: right.bytes.with(0, (right.bytes[0] ?? 0) ^ 1) };
    expect(isSignedBy({ ...note, signatures: [right, right] }, parseVerifierKey(KEY))).toBe(true);
    expect(isSignedBy({ ...note, signatures: [right, wrong] }, parseVerifierKey(KEY))).toBe(false);
    expect(isSignedBy({ ...note, signatures: [] }, parseVerifierKey(KEY))).toBe(false);
  });

  test('is signed by a key whatever signatures other keys of its name and other names with its id have', () => {
    const note = parseNote(NOTE);
    const [right] = note.signatures;
    if (right === undefined) throw new Error('the note has a signature');
    const bytes = right.bytes.with(0, (right.bytes[0] ?? 0) ^ 1);
    const others = [
      { ...right, bytes, keyId: '00000000' },
      { ...right, bytes, name: 'example.com/bar' },
    ];
    const key = parseVerifierKey(KEY);
    for (const other of others) {
      expect(isSignedBy({ ...note, signatures: [right, other] }, key)).toBe(true);
      expect(isSignedBy({ ...note, signatures: [other] }, key)).toBe(false);
    }
  });

  test.each<[string, string, string]>([
    ['has no signatures', 'text\n', 'the note must have signatures'],
    ['does not end with a line', NOTE.slice(0, -1), 'the note must have signatures'],
    ['has a control character', NOTE.replace(' is', '\tis'), 'the note must not contain control characters'],
    ['is too long', `${'a'.repeat(1_000_000)}\n\n— a b\n`, 'the note is longer than a million characters'],
    ['has too many signatures', `a\n\n${'— a b\n'.repeat(101)}`, 'the note must have at most 100 signatures'],
    ['has a line that is no signature', 'a\n\nb\n', 'a signature line must have the form "— name base64"'],
  ])('is refused if it %s', (_what, note, message) => {
    expect(refusal(() => parseNote(note))).toBe(message);
  });

  test('may have a hundred signatures, and a million characters', () => {
    const lines = Array.from({ length: 100 }, () => parseNote(NOTE).signatures[0]?.line ?? '');
    const note = noteOf('a\n', lines);
    expect(parseNote(note).signatures).toHaveLength(100);
    expect(parseNote('b'.repeat(1_000_000 - note.length) + note).signatures).toHaveLength(100);
  });

  test.each([
    ['without its mark', 'foo AAAAAAA='],
    ['with a plus in the name', '— a+b AAAAAAA='],
    ['without a name', '—  AAAAAAA='],
    ['without a signature', '— foo'],
    ['with something behind it', '— foo AAAAAAA= more'],
    ['whose base64 lacks its padding', '— foo AAAAAAA'],
    ['that has nothing behind the id of the key', '— foo AAAAAA=='],
  ])('has no signature line %s', (_what, line) => {
    expect(refusal(() => parseSignature(line))).toBe('a signature line must have the form "— name base64"');
    expect(parseSignature('— foo AAAAAAA=')).toMatchObject({ name: 'foo', keyId: '00000000' });
  });
});

describe('a signature', () => {
  const signed = (text: string, publicKey: Uint8Array, signature: Uint8Array) => {
    const key = noteKey('log', ED25519, publicKey);
    const note = { text, signatures: [{ name: 'log', keyId: key.id, bytes: signature, line: '' }] };
    return isSignedBy(note, key);
  };

  test('is believed exactly when OpenSSL and a validator believe it', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    fc.assert(
      fc.property(bytes(32), fc.string(), fc.nat(63), fc.nat(255), (seed, text, place, change) => {
        const publicKey = ed25519.getPublicKey(seed);
        const right = ed25519.sign(utf8(text), seed);
        const given = right.with(place, (right[place] ?? 0) ^ change);
        expect(signed(text, publicKey, right)).toBe(true);
        expect(signed(text, publicKey, given)).toBe(verify(publicKey, utf8(text), given));
      }),
      { numRuns: 15 },
    );
  });

  test('is refused with a second form of its number, with another length, and by a key of small order', () => {
    const { publicKey, sign } = signerOf(1);
    const right = sign(utf8('text'));
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    let scalar = BigInt(`0x${toHex(right.slice(32).reverse())}`) + order;
    const raised = right.map((byte, at) => {
      if (at < 32) return byte;
      const digit = Number(scalar & 0xffn);
      scalar >>= 8n;
      return digit;
    });
    expect(signed('text', publicKey, right)).toBe(true);
    expect(signed('text', publicKey, raised)).toBe(false);
    expect(signed('text', publicKey, right.subarray(0, 63))).toBe(false);
    const identity = new Uint8Array(32).with(0, 1);
    const forged = new Uint8Array(64).with(0, 1);
    expect(ed25519.verify(forged, utf8('text'), identity, { zip215: true })).toBe(true);
    expect(signed('text', identity, forged)).toBe(false);
    expect(signed('text', new Uint8Array(32).fill(255), right)).toBe(false);
  });

  test('of a witness holds for its time alone', () => {
    const { publicKey, sign } = signerOf(2);
    const key = noteKey('witness', COSIGNATURE, publicKey);
    const bytes = Uint8Array.of(
      0,
      0,
      0,
      0,
      0x68,
      0,
      0,
      5,
      ...sign(utf8(`cosignature/v1\ntime ${0x68000005}\ntext\n`)),
    );
    expect(cosignatureTime('text\n', key, bytes)).toBe(0x68000005n);
    expect(cosignatureTime('text\n', key, bytes.with(7, 6))).toBeUndefined();
    expect(cosignatureTime('test\n', key, bytes)).toBeUndefined();
    expect(cosignatureTime('text\n', key, bytes.subarray(0, -1))).toBeUndefined();
    const { name, id: keyId } = key;
    const note = { text: 'text\n', signatures: [{ name, keyId, bytes, line: '' }] };
    expect(isSignedBy(note, key)).toBe(true);
    expect(isSignedBy({ ...note, text: 'test\n' }, key)).toBe(false);
  });
});

describe('a key', () => {
  const [, id, encoded] = KEY.split('+') as [string, string, string];

  test.each<[string, string, string]>([
    ['in two parts', `example.com/foo+${id}`, 'a verifier key must have the form name+id+key'],
    [
      'with a blank in its name',
      `example com+${id}+${encoded}`,
      'a verifier key must have the form name+id+key',
    ],
    [
      'that is no base64',
      `example.com/foo+${id}+${encoded}=`,
      'a verifier key must have the form name+id+key',
    ],
    [
      'of another type',
      `example.com/foo+${id}+${toBase64(Uint8Array.of(2, 1))}`,
      'the verifier key of example.com/foo has type 2; supported are Ed25519 (1) and cosignatures (4)',
    ],
    [
      'of another length',
      `example.com/foo+${id}+${toBase64(Uint8Array.of(1, 1))}`,
      'an Ed25519 public key must have 32 bytes',
    ],
    [
      'with the id of another',
      `example.com/foo+530d903b+${encoded}`,
      'the verifier key of example.com/foo has the id 530d903a, not 530d903b',
    ],
  ])('is refused %s', (_what, text, message) => {
    expect(refusal(() => parseVerifierKey(text))).toBe(message);
  });

  test('cannot be named with blanks', () => {
    expect(refusal(() => noteKey('a b', ED25519, new Uint8Array(32)))).toBe(
      'the key name "a b" must not contain blanks or a plus sign',
    );
  });
});

describe('a checkpoint', () => {
  const root = toBase64(new Uint8Array(32).fill(1));
  const start = 'a checkpoint must start with the name of the log and its size';
  const third = "a checkpoint's third line must be a root of 32 bytes in base64";

  test('is read as it was signed, with lines behind it', () => {
    const signer = signerOf(3);
    const checkpoint = { origin: 'log', size: 5, root: new Uint8Array(32).fill(1) };
    const note = signCheckpoint(checkpoint, signer);
    const parsed = parseCheckpoint(note);
    expect(parsed.checkpoint).toEqual(checkpoint);
    expect(isSignedBy(parsed.note, noteKey('log', ED25519, signer.publicKey))).toBe(true);
    expect(parseCheckpointText(`log\n0\n${root}\nmore\n`)).toEqual({ ...checkpoint, size: 0 });
  });

  test.each<[string, string, string]>([
    ['without a name', `\n5\n${root}\n`, start],
    ['without a size', 'log', start],
    ['with a size that begins with 0', `log\n05\n${root}\n`, start],
    ['with a negative size', `log\n-5\n${root}\n`, start],
    ['with more entries than can be counted', `log\n${2 ** 53}\n${root}\n`, start],
    ['without a root', 'log\n5', third],
    ['with a short root', `log\n5\n${toBase64(new Uint8Array(31))}\n`, third],
    ['with a root that is no base64', `log\n5\n${root}=\n`, third],
  ])('is refused %s', (_what, text, message) => {
    expect(refusal(() => parseCheckpointText(text))).toBe(message);
  });
});

describe('the proof of an entry', () => {
  const signer = signerOf(3);
  const leaves = [0, 1, 2].map((number) => leafHash(new Uint8Array(32).fill(number)));
  const checkpoint = signCheckpoint({ origin: 'log', size: 3, root: rootOf(leaves) }, signer);
  const path = [leaves[0], leaves[2]] as Uint8Array[];
  const text = tlogProofText({ index: 1, path, checkpoint });
  const entry = new Uint8Array(32).fill(1);

  test('leads to the root of its checkpoint, whatever extra data it has', () => {
    for (const given of [text, text.replace('\n', '\nextra AAAA\n')]) {
      const proof = parseTlogProof(given);
      expect(proof).toEqual({ index: 1, path, checkpoint });
      expect(requireIncluded(proof, entry).checkpoint.size).toBe(3);
    }
  });

  test('leads to no other root', () => {
    const wrong = (change: Partial<ReturnType<typeof parseTlogProof>>, of = entry) =>
      refusal(() => requireIncluded({ ...parseTlogProof(text), ...change }, of));
    expect(wrong({}, entry.with(0, 2))).toBe(
      'the path does not lead from entry 1 to the root of the checkpoint',
    );
    expect(wrong({ index: 0 })).toContain('does not lead from entry 0');
    expect(wrong({ index: 3 })).toContain('does not lead from entry 3');
    expect(wrong({ path: path.slice(1) })).toContain('does not lead');
  });

  test.each<[string, string, string]>([
    ['without its first line', text.slice(1), 'a proof must start with c2sp.org/tlog-proof@v1'],
    [
      'without its end',
      'c2sp.org/tlog-proof@v1\nindex 1\n',
      'a proof must start with c2sp.org/tlog-proof@v1',
    ],
    ['without an index', text.replace('index 1', 'place 1'), 'a proof must contain the index of its entry'],
    [
      'with an index of another form',
      text.replace('index 1', 'index 01'),
      'a proof must contain the index of its entry',
    ],
    [
      'with too large an index',
      text.replace('index 1', `index ${2 ** 53}`),
      'a proof must contain the index of its entry',
    ],
    [
      'that ends with its first line',
      'c2sp.org/tlog-proof@v1\n\n',
      'a proof must contain the index of its entry',
    ],
    [
      'with a line that is no hash',
      text.replace(toBase64(path[0] ?? new Uint8Array()), 'AAAA'),
      'every line of the path must be a hash in base64',
    ],
  ])('is refused %s', (_what, given, message) => {
    expect(refusal(() => parseTlogProof(given))).toBe(message);
  });
});

describe('a policy', () => {
  const log = signerOf(3);
  const logKey = noteKey('log', ED25519, log.publicKey);
  const witness = (number: number) => ({
    signer: signerOf(number),
    key: noteKey(`w${number}`, COSIGNATURE, signerOf(number).publicKey),
  });
  const witnesses = [11, 12, 13].map(witness);
  const lines = [
    '# whom we believe',
    `log ${verifierKey(logKey)} https://log.example`,
    '',
    ...witnesses.map(({ key }) => `witness ${key.name}\t${verifierKey(key)}`),
  ];
  const policyOf = (...more: readonly string[]) => parsePolicy([...lines, ...more].join('\n'));
  const unsigned = signCheckpoint({ origin: 'log', size: 0, root: rootOf([]) }, log);
  const signedBy = (...numbers: readonly number[]) => {
    const { text } = parseNote(unsigned);
    const cosignatures = numbers.map((number) => {
      const { key, signer } = witness(number);
      const signature = signer.sign(utf8(`cosignature/v1\ntime 1\n${text}`));
      return signatureLine(key, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, ...signature));
    });
    return parseCheckpoint(`${unsigned}${cosignatures.map((line) => `${line}\n`).join('')}`);
  };

  test('of one log asks for its signature alone', () => {
    expect(requirePolicy(policyOfLog(logKey), signedBy())).toEqual([]);
    const other = noteKey('log', ED25519, signerOf(4).publicKey);
    const sentence = 'the checkpoint of log is not signed by a log of the policy';
    expect(refusal(() => requirePolicy(policyOfLog(other), signedBy()))).toBe(sentence);
    const renamed = noteKey('other', ED25519, log.publicKey);
    expect(refusal(() => requirePolicy(policyOfLog(renamed), signedBy()))).toBe(sentence);
  });

  test('of several logs asks for the signature of one, in its own name', () => {
    const another = noteKey('another', ED25519, signerOf(4).publicKey);
    const policy = { ...policyOfLog(another), logs: [another, logKey] };
    expect(requirePolicy(policy, signedBy())).toEqual([]);
    const renamed = { ...signedBy(), checkpoint: { ...signedBy().checkpoint, origin: 'another' } };
    expect(refusal(() => requirePolicy(policy, renamed))).toBe(
      'the checkpoint of another is not signed by a log of the policy',
    );
  });

  test('without a log asks for witnesses alone', () => {
    const text = [...lines.slice(3), 'quorum w11'].join('\n');
    expect(requirePolicy(parsePolicy(text), signedBy(11))).toEqual(['w11']);
  });

  test.each<[string, readonly string[], readonly number[], string | readonly string[]]>([
    ['no witness', ['quorum none'], [], []],
    ['a witness that signed', ['quorum w12'], [12, 13], ['w12', 'w13']],
    ['a witness that did not sign', ['quorum w12'], [], 'too few witnesses of "w12" have signed: none'],
    ['any of three', ['group g any w11 w12 w13', 'quorum g'], [13], ['w13']],
    [
      'any of three, and none signed',
      ['group g any w11 w12 w13', 'quorum g'],
      [],
      'too few witnesses of "g" have signed: none',
    ],
    ['two of three', ['group g 2 w11 w12 w13', 'quorum g'], [11, 13], ['w11', 'w13']],
    [
      'two of three, and one signed',
      ['group g 2 w11 w12 w13', 'quorum g'],
      [11],
      'too few witnesses of "g" have signed: only w11',
    ],
    [
      'all, and two of three signed',
      ['group g all w11 w12 w13', 'quorum g'],
      [11, 12],
      'too few witnesses of "g" have signed: only w11, w12',
    ],
    ['a group of groups', ['group g all w11 w12', 'group h any g w13', 'quorum h'], [13], ['w13']],
    [
      'a group of groups, half of one',
      ['group g all w11 w12', 'group h any g w13', 'quorum h'],
      [11],
      'too few witnesses of "h" have signed: only w11',
    ],
  ])('asks for %s', (_what, quorum, signers, outcome) => {
    const policy = policyOf(...quorum);
    if (typeof outcome === 'string')
      expect(refusal(() => requirePolicy(policy, signedBy(...signers)))).toBe(outcome);
    else expect(requirePolicy(policy, signedBy(...signers))).toEqual(outcome);
  });

  test.each<[string, readonly string[], string]>([
    [
      'names a log twice',
      [lines[1] ?? '', 'quorum none'],
      'line 7 of the policy: the key of the log is repeated',
    ],
    [
      'has a witness as its log',
      [`log ${verifierKey(witness(14).key)}`],
      'line 7 of the policy: the key of w14 has the wrong type of signature',
    ],
    [
      'has a log as its witness',
      [`witness a ${verifierKey(logKey)}`],
      'line 7 of the policy: the key of log has the wrong type of signature',
    ],
    [
      'has a witness without a key',
      ['witness a'],
      'line 7 of the policy: a verifier key must have the form name+id+key',
    ],
    [
      'names the key of a witness twice',
      [`witness a ${verifierKey(witness(11).key)}`],
      'line 7 of the policy: the key of the witness is repeated',
    ],
    [
      'names two witnesses alike',
      [`witness w11 ${verifierKey(witness(14).key)}`],
      'line 7 of the policy: the name "w11" is missing, reserved or already used',
    ],
    [
      'names a witness none',
      [`witness none ${verifierKey(witness(14).key)}`],
      'line 7 of the policy: the name "none" is missing, reserved or already used',
    ],
    ['names no group', ['group'], 'line 7 of the policy: the name "" is missing, reserved or already used'],
    [
      'has a group of none',
      ['group g all'],
      'line 7 of the policy: a group must have "all", "any" or a number from 1 to the number of its members',
    ],
    [
      'needs none of a group',
      ['group g 0 w11'],
      'line 7 of the policy: a group must have "all", "any" or a number from 1 to the number of its members',
    ],
    [
      'needs more than a group has',
      ['group g 2 w11'],
      'line 7 of the policy: a group must have "all", "any" or a number from 1 to the number of its members',
    ],
    [
      'needs half of a member',
      ['group g 0.5 w11'],
      'line 7 of the policy: a group must have "all", "any" or a number from 1 to the number of its members',
    ],
    [
      'has an unknown member',
      ['group g any w9'],
      'line 7 of the policy: "w9" must be defined before it is used',
    ],
    [
      'counts a member twice',
      ['group g any w11', 'group h any w11'],
      'line 8 of the policy: "w11" is already in a group',
    ],
    [
      'names two groups alike',
      ['group g any w11', 'group g any w12'],
      'line 8 of the policy: the name "g" is missing, reserved or already used',
    ],
    ['has two quorums', ['quorum none', 'quorum none'], 'line 8 of the policy: the quorum is repeated'],
    ['has an unknown quorum', ['quorum w9'], 'line 7 of the policy: "w9" must be defined before it is used'],
    ['names no quorum', ['quorum'], 'line 7 of the policy: "" must be defined before it is used'],
    [
      'has another line',
      ['believe nobody'],
      'line 7 of the policy: "believe" must be log, witness, group or quorum',
    ],
    ['has no quorum', [], 'the policy must have a line "quorum"'],
  ])('is refused if it %s', (_what, more, message) => {
    expect(refusal(() => policyOf(...more))).toBe(message);
  });
});

test('base64 and hex are read in one form alone, and written back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      expect(fromHex(toHex(bytes))).toEqual(bytes);
    }),
  );
  for (const text of ['AA', 'AA=', 'AB==', 'AA==\n', ' AA==', 'AA-=', 'ä', 'A'])
    expect(fromBase64(text)).toBeUndefined();
  for (const text of ['a', 'AA', 'aa ', '0x', 'zz']) expect(fromHex(text)).toBeUndefined();
});
