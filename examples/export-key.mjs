/**
 * Derives one key of the service from a copy of its master seed, and writes it in the format of Solana's key files.
 * Needs only Node and no connection; see docs/explanation/custody.md.
 *
 * node export-key.mjs --seed <master-seed file> --path levy/v1/treasury --out treasury.json
 */
import { createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** PKCS #8 prefix of the 32 bytes of an Ed25519 seed. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const PATH = /^levy\/v1\/[a-z-]+(\/[0-9a-f-]+)?$/;

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function options() {
  try {
    const text = { type: 'string' };
    return parseArgs({ options: { seed: text, path: text, out: text } }).values;
  } catch (error) {
    fail(error.message);
  }
}

const { seed: seedFile, path, out } = options();
if (seedFile === undefined || path === undefined || out === undefined)
  fail('Set the file of the master seed (--seed), the path of the key (--path) and the output file (--out).');
if (!PATH.test(path)) fail(`${path} is not the path of a key, such as levy/v1/treasury.`);

let text;
try {
  text = readFileSync(seedFile, 'utf8').trim();
} catch (error) {
  fail(`The master seed cannot be read: ${error.message}`);
}
if (!/^[0-9a-f]{64}$/i.test(text)) fail(`${seedFile} is not a master seed, which has 64 hexadecimal digits.`);

const key = Buffer.from(hkdfSync('sha256', Buffer.from(text, 'hex'), '', path, 32));
const privateKey = createPrivateKey({
  key: Buffer.concat([PKCS8_ED25519, key]),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x, 'base64url');
try {
  writeFileSync(out, JSON.stringify([...key, ...publicKey]), { mode: 0o600, flag: 'wx' });
} catch (error) {
  fail(error.code === 'EEXIST' ? `${out} exists already, and is left as it is.` : error.message);
}
