/** Policies (C2SP `tlog-policy`): the trusted logs, and the required number of witnesses. */
import { isEqual } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  COSIGNATURE,
  ED25519,
  isSignedBy,
  NoteInvalid,
  type NoteKey,
  parseVerifierKey,
  type SignedNote,
} from './signed-note.ts';

interface Group {
  readonly needed: number;
  readonly members: readonly string[];
}

export interface Policy {
  /** Logs of which one must have signed; if empty, every log is accepted. */
  readonly logs: readonly NoteKey[];
  readonly witnesses: ReadonlyMap<string, NoteKey>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Name of a witness or a group, or `none`. */
  readonly quorum: string;
}

const NO_QUORUM = 'none';

/** Policy of one log without witnesses. */
export function policyOfLog(key: NoteKey): Policy {
  return { logs: [key], witnesses: new Map(), groups: new Map(), quorum: NO_QUORUM };
}

/** Throws `NoteInvalid` with the number of the line. */
export function parsePolicy(text: string): Policy {
  const logs: NoteKey[] = [];
  const witnesses = new Map<string, NoteKey>();
  const groups = new Map<string, Group>();
  let quorum: string | undefined;
  const members = new Set<string>();

  function line(words: readonly string[]): void {
    const [kind, ...rest] = words;
    if (kind === 'log') {
      const key = keyOf(rest[0], ED25519);
      if (logs.some(({ publicKey }) => isEqual(publicKey, key.publicKey)))
        throw new NoteInvalid('the key of the log is repeated');
      logs.push(key);
    } else if (kind === 'witness') {
      const name = newName(rest[0]);
      const key = keyOf(rest[1], COSIGNATURE);
      if ([...witnesses.values()].some(({ publicKey }) => isEqual(publicKey, key.publicKey)))
        throw new NoteInvalid('the key of the witness is repeated');
      witnesses.set(name, key);
    } else if (kind === 'group') {
      const [given, count, ...names] = rest;
      const name = newName(given);
      const needed = count === 'all' ? names.length : count === 'any' ? 1 : Number(count);
      if (!Number.isInteger(needed) || needed < 1 || needed > names.length)
        throw new NoteInvalid(
          'a group must have "all", "any" or a number from 1 to the number of its members',
        );
      for (const member of names) {
        if (!isKnown(member)) throw new NoteInvalid(`"${member}" must be defined before it is used`);
        if (members.has(member)) throw new NoteInvalid(`"${member}" is already in a group`);
        members.add(member);
      }
      groups.set(name, { needed, members: names });
    } else if (kind === 'quorum') {
      const [name] = rest;
      if (quorum !== undefined) throw new NoteInvalid('the quorum is repeated');
      if (name === undefined || (name !== NO_QUORUM && !isKnown(name)))
        throw new NoteInvalid(`"${name ?? ''}" must be defined before it is used`);
      quorum = name;
    } else {
      throw new NoteInvalid(`"${kind ?? ''}" must be log, witness, group or quorum`);
    }
  }
  function isKnown(name: string): boolean {
    return witnesses.has(name) || groups.has(name);
  }
  function newName(name: string | undefined): string {
    if (name === undefined || name === NO_QUORUM || isKnown(name))
      throw new NoteInvalid(`the name "${name ?? ''}" is missing, reserved or already used`);
    return name;
  }

  for (const [index, each] of text.split('\n').entries()) {
    const words = each.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length === 0 || words[0]?.startsWith('#')) continue;
    try {
      line(words);
    } catch (error) {
      if (!(error instanceof NoteInvalid)) throw error;
      throw new NoteInvalid(`line ${index + 1} of the policy: ${error.message}`);
    }
  }
  if (quorum === undefined) throw new NoteInvalid('the policy must have a line "quorum"');
  return { logs, witnesses, groups, quorum };
}

function keyOf(text: string | undefined, type: number): NoteKey {
  const key = parseVerifierKey(text ?? '');
  if (key.type !== type) throw new NoteInvalid(`the key of ${key.name} has the wrong type of signature`);
  return key;
}

/** Returns the names of the witnesses that signed. Throws `NoteInvalid` with the missing signature. */
export function requirePolicy(
  policy: Policy,
  { checkpoint, note }: { readonly checkpoint: Checkpoint; readonly note: SignedNote },
): readonly string[] {
  const isOfLog = policy.logs.some((key) => key.name === checkpoint.origin && isSignedBy(note, key));
  if (policy.logs.length > 0 && !isOfLog)
    throw new NoteInvalid(`the checkpoint of ${checkpoint.origin} is not signed by a log of the policy`);
  const signed = [...policy.witnesses].filter(([, key]) => isSignedBy(note, key)).map(([name]) => name);
  const isMet = (name: string): boolean => {
    const group = policy.groups.get(name);
    if (group === undefined) return signed.includes(name);
    return group.members.filter(isMet).length >= group.needed;
  };
  if (policy.quorum !== NO_QUORUM && !isMet(policy.quorum))
    throw new NoteInvalid(
      `too few witnesses of "${policy.quorum}" have signed: ${signed.length === 0 ? 'none' : `only ${signed.join(', ')}`}`,
    );
  return signed;
}
