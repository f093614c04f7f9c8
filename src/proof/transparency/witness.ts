/** Asks a witness (C2SP `tlog-witness`) to sign a checkpoint: it does so if that extends what it signed before. */
import {
  cosignatureTime,
  NoteInvalid,
  type NoteKey,
  parseCheckpoint,
  parseSignature,
} from 'levy-transparency-log';

export interface WitnessAddress {
  readonly key: NoteKey;
  /** The submission prefix: requests go to `<url>/add-checkpoint`. */
  readonly url: string;
}

interface WitnessRequest {
  /** The signed note. */
  readonly checkpoint: string;
  /** Proves that the checkpoint extends the tree of this size. */
  readonly consistency: (from: number) => Promise<readonly Uint8Array[]>;
  readonly signal: AbortSignal;
}

/** The witness says that it has signed a tree that this one does not extend. */
export class WitnessDisagrees extends Error {
  override readonly name = 'WitnessDisagrees';
}

export type Witness = ReturnType<typeof createWitness>;

const CONFLICT = 409;
const UNPROCESSABLE = 422;
const LONGEST_ANSWER = 64_000;
/** Other notaries of the same log may be faster, but not indefinitely. */
const TRIES = 3;

export function createWitness({ key, url }: WitnessAddress, send: typeof fetch = fetch) {
  /** The size that it signed last, as far as is known. */
  let known = 0;

  async function ask({ checkpoint, consistency, signal }: WitnessRequest, from: number): Promise<Response> {
    const proof = await consistency(from);
    const lines = proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('');
    return send(`${url.replace(/\/$/, '')}/add-checkpoint`, {
      method: 'POST',
      body: `old ${from}\n${lines}\n${checkpoint}`,
      redirect: 'error',
      signal,
    });
  }

  return {
    name: key.name,
    /**
     * Its signature, and the size of the tree that it had signed before; 0 if it knew none, so that it compared nothing. Rejects
     * with `WitnessDisagrees` if it holds another tree, with another error if it does not answer as it should.
     */
    async cosign(request: WitnessRequest) {
      const { checkpoint, note } = parseCheckpoint(request.checkpoint);
      for (let tries = 0; tries < TRIES; tries++) {
        const from = Math.min(known, checkpoint.size);
        const response = await ask(request, from);
        const text = await shortText(response);
        if (response.status === CONFLICT) {
          const size = Number(text.trim());
          if (!/^\d+\n?$/.test(text) || !Number.isSafeInteger(size))
            throw new Error(`the witness ${key.name} answers 409 without a size`);
          if (size > checkpoint.size)
            throw new WitnessDisagrees(
              `the witness ${key.name} has signed ${size} entries, and this log has ${checkpoint.size}`,
            );
          known = size;
          continue;
        }
        if (response.status === UNPROCESSABLE)
          throw new WitnessDisagrees(
            `the witness ${key.name} holds another tree of the first ${known} entries: ${text.trim()}`,
          );
        if (!response.ok)
          throw new Error(`the witness ${key.name} answers ${response.status}: ${text.trim().slice(0, 200)}`);
        const line = text.split('\n').find((each) => isOwn(each, note.text));
        if (line === undefined) throw new Error(`the witness ${key.name} has not signed with its key`);
        known = checkpoint.size;
        return { line, from };
      }
      throw new Error(`the witness ${key.name} signs for another notary at the same time`);
    },
  };

  function isOwn(line: string, text: string): boolean {
    try {
      const { name, keyId, bytes } = parseSignature(line);
      return name === key.name && keyId === key.id && cosignatureTime(text, key, bytes) !== undefined;
    } catch (error) {
      if (error instanceof NoteInvalid) return false;
      throw error;
    }
  }
}

async function shortText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > LONGEST_ANSWER) throw new Error('the witness answers with more than signatures');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
