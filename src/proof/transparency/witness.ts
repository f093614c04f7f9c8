/** Client of a witness (C2SP `tlog-witness`), which cosigns a checkpoint if it extends the last one that it cosigned. */
import {
  cosignatureTime,
  NoteInvalid,
  type NoteKey,
  parseCheckpoint,
  parseSignature,
} from 'levy-transparency-log';
import { readBody } from '../../kernel/runtime/bounded-input.ts';

export interface WitnessAddress {
  readonly key: NoteKey;
  /** Submission prefix: requests go to `<url>/add-checkpoint`. */
  readonly url: string;
}

interface WitnessRequest {
  /** Signed note. */
  readonly checkpoint: string;
  /** Returns a proof that the checkpoint extends the tree of this size. */
  readonly consistency: (from: number) => Promise<readonly Uint8Array[]>;
  readonly signal: AbortSignal;
}

/** The witness reports that it has signed a tree that this one does not extend. */
export class WitnessDisagrees extends Error {
  override readonly name = 'WitnessDisagrees';
}

export type Witness = ReturnType<typeof createWitness>;

const CONFLICT = 409;
const UNPROCESSABLE = 422;
const MAX_ANSWER = 64_000;
/** Attempts per checkpoint: each conflict may come from another notary of the same log. */
const TRIES = 3;

export function createWitness({ key, url }: WitnessAddress, send: typeof fetch = fetch) {
  /** Last known size that the witness has signed. */
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
     * Returns the cosignature line, and the size of the tree that the witness had signed before; 0 means that the witness
     * compared nothing. Rejects with `WitnessDisagrees` if the witness has signed another tree, and with another error on other
     * failures.
     */
    async cosign(request: WitnessRequest) {
      const { checkpoint, note } = parseCheckpoint(request.checkpoint);
      for (let tries = 0; tries < TRIES; tries++) {
        const from = Math.min(known, checkpoint.size);
        const response = await ask(request, from);
        const answer = await readBody(response, MAX_ANSWER, `the response of witness ${key.name}`);
        const text = Buffer.from(answer).toString();
        if (response.status === CONFLICT) {
          const size = Number(text.trim());
          if (!/^\d+\n?$/.test(text) || !Number.isSafeInteger(size))
            throw new Error(`witness ${key.name}: HTTP status 409 without a size`);
          if (size > checkpoint.size)
            throw new WitnessDisagrees(
              `witness ${key.name} has signed ${size} entries, but this log has ${checkpoint.size}`,
            );
          known = size;
          continue;
        }
        if (response.status === UNPROCESSABLE)
          throw new WitnessDisagrees(
            `witness ${key.name} has signed another tree of the first ${known} entries: ${text.trim()}`,
          );
        if (!response.ok)
          throw new Error(
            `witness ${key.name}: HTTP status ${response.status}: ${text.trim().slice(0, 200)}`,
          );
        const line = text.split('\n').find((each) => isOwn(each, note.text));
        if (line === undefined)
          throw new Error(`the response of witness ${key.name} has no signature by its key`);
        known = checkpoint.size;
        return { line, from };
      }
      throw new Error(`witness ${key.name} signs for another notary concurrently`);
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
