/** Witness that follows C2SP `tlog-witness` over HTTP: it stores its signed checkpoints and reports forks. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Checkpoint,
  COSIGNATURE,
  isConsistent,
  noteKey,
  parseCheckpoint,
  signatureLine,
  verifierKey,
} from 'levy-transparency-log';
import { afterTheFile } from './after-the-file.ts';

export interface HonestWitness {
  /** Address in the form of WITNESSES. */
  readonly address: string;
  /** Checkpoint that it signed last. */
  readonly last: () => Checkpoint | undefined;
  /** Every tree that it was shown and did not sign, because it extends none that it signed. */
  readonly forks: readonly string[];
  /** Called when it is asked, before it looks, and when its answer has left; replaced by tests. */
  told: (moment: 'asked' | 'answered') => void;
}

export async function startHonestWitness(): Promise<HonestWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = noteKey('witness.example/honest', COSIGNATURE, raw);
  const forks: string[] = [];
  let last: Checkpoint | undefined;

  function answerTo(body: string): { readonly status: number; readonly text: string } {
    const end = body.indexOf('\n\n');
    const [old = '', ...hashes] = body.slice(0, end).split('\n');
    const { checkpoint, note } = parseCheckpoint(body.slice(end + 2));
    if (Number(old.slice('old '.length)) !== (last?.size ?? 0))
      return { status: 409, text: `${last?.size ?? 0}\n` };
    const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
    if (last !== undefined && !isConsistent(last, checkpoint, proof)) {
      forks.push(`${checkpoint.size} entries do not extend ${last.size}`);
      return { status: 422, text: 'another tree\n' };
    }
    last = checkpoint;
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(1_790_000_000n);
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime 1790000000\n${note.text}`), privateKey);
    return { status: 200, text: `${signatureLine(key, Buffer.concat([time, signature]))}\n` };
  }

  const server = createServer((request, response) => {
    witness.told('asked');
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { status, text } = answerTo(body);
      response.on('finish', () => witness.told('answered'));
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTheFile(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const witness: HonestWitness = {
    address: `${verifierKey(key)} http://127.0.0.1:${port}`,
    last: () => last,
    forks,
    told: () => undefined,
  };
  return witness;
}
