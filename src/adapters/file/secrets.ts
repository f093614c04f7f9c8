/** Reads the service's secrets from files, and creates them where a first start may. Never logs their content. */
import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { makePrivateDirectory, writeDurably } from './durable-file.ts';

const SEED_BYTES = 32;
const SEED_TEXT = /^[0-9a-f]{64}$/i;
/** Maximum bytes of a secret file; prevents reading a large file by a wrong path. */
const MAX_FILE_BYTES = 16 * 1024;

/** Unusable secret file. The message contains the remedy, but nothing of the file's content. */
export class SecretFileError extends OperatorError {
  override readonly name = 'SecretFileError';
}

interface JwtKeyOptions<Key> {
  readonly mayCreate: boolean;
  /** Called only if the file does not exist and `mayCreate` allows it. */
  readonly make: () => Promise<Key>;
  /** Throws an Error with a message for the operator that does not quote the text. */
  readonly parse: (text: string) => Key;
}

/**
 * Reads the seed from a file of mode 0600 with 64 hexadecimal digits and a line end. `mayCreate` requires that store and
 * chain are both embedded and the log is empty, so that no collected tax depends on another seed. Throws `SecretFileError`.
 */
export async function readMasterSeed(file: string, options: { readonly mayCreate: boolean }) {
  const path = resolve(file);
  const { text, created } = await readOrMake({
    path,
    title: 'master seed',
    mayCreate: options.mayCreate,
    make: async () => `${randomBytes(SEED_BYTES).toString('hex')}\n`,
    ifMissing:
      'If this service has run before, restore its original file: all its wallets derive from that seed. ' +
      `For a new service, create one and store a copy: ${commandThatMakes(path, `openssl rand -hex ${SEED_BYTES}`)}`,
  });
  const digits = text.trim();
  if (!SEED_TEXT.test(digits)) {
    throw new SecretFileError(
      `the master seed file ${path} must contain exactly ${2 * SEED_BYTES} hexadecimal digits; restore the original file`,
    );
  }
  const seed = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (seed.every((byte) => byte === seed[0])) {
    throw new SecretFileError(`the master seed file ${path} contains a placeholder instead of random bytes`);
  }
  /** `created`: this call created the file, so the operator should copy it. */
  return { seed, created };
}

/** Reads a private key as JSON (a JWK) from a file of mode 0600. Throws `SecretFileError`. */
export async function readJwtKey<Key>(file: string, options: JwtKeyOptions<Key>) {
  const path = resolve(file);
  const { text, created } = await readOrMake({
    path,
    title: 'JWT key',
    mayCreate: options.mayCreate,
    make: async () => `${JSON.stringify(await options.make())}\n`,
    ifMissing:
      'If this service has run before, restore its original file; with a new one, all users must sign in again. ' +
      `Create a new one with ${commandThatMakes(path, PRINT_JWT_KEY)}`,
  });
  try {
    return { key: options.parse(text), created };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new SecretFileError(`the JWT key file ${path} cannot be used: ${reason}`, { cause: error });
  }
}

/**
 * Reads a user, a colon and a password from a file of mode 0600. `title` names the file in errors. Throws `SecretFileError`.
 */
export async function readCredentials(file: string, title: string) {
  const path = resolve(file);
  const text = (await readSecret({ path, title }))?.trim();
  if (text === undefined) throw new SecretFileError(`the ${title} file ${path} does not exist`);
  const colon = text.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(text)) {
    throw new SecretFileError(
      `the ${title} file ${path} must contain a user, a colon and a password on one line`,
    );
  }
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Reads an operator's key from a file of mode 0600. Throws `SecretFileError`. */
export async function readOperatorKey(file: string): Promise<string> {
  const path = resolve(file);
  const text = await readSecret({ path, title: "operator's key" });
  if (text === undefined) throw new SecretFileError(`the operator's key file ${path} does not exist`);
  return operatorKeyIn(text.trim(), path);
}

/** Like `readOperatorKey`, but creates a missing file. */
export async function readOwnOperatorKey(path: string): Promise<string> {
  const { text } = await readOrMake({
    path,
    title: "operator's key",
    mayCreate: true,
    make: async () => `${randomBytes(SEED_BYTES).toString('hex')}\n`,
    ifMissing: '',
  });
  return operatorKeyIn(text.trim(), path);
}

function operatorKeyIn(text: string, path: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new SecretFileError(`the operator's key file ${path} must contain exactly one key`);
  }
  return text;
}

interface SecretSource {
  readonly path: string;
  readonly title: string;
  readonly mayCreate: boolean;
  readonly make: () => Promise<string>;
  readonly ifMissing: string;
}

async function readOrMake(
  source: SecretSource,
): Promise<{ readonly text: string; readonly created: boolean }> {
  const found = await readSecret(source);
  if (found !== undefined) return { text: found, created: false };
  if (!source.mayCreate) {
    throw new SecretFileError(`the ${source.title} file ${source.path} does not exist. ${source.ifMissing}`);
  }
  const created = await makeSecret(source);
  // Reads even a new file: if another process created it first, that secret is valid.
  const text = await readSecret(source);
  if (text === undefined)
    throw new SecretFileError(`the ${source.title} file ${source.path} disappeared during startup`);
  return { text, created };
}

/** False if another process created the file concurrently. */
async function makeSecret({ path, title, make }: SecretSource): Promise<boolean> {
  try {
    await makePrivateDirectory(dirname(path));
    await writeDurably(path, Buffer.from(await make(), 'utf8'), { mode: 0o600, replace: false });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new SecretFileError(`the ${title} file ${path} cannot be written (${codeOf(error) ?? 'failed'})`, {
      cause: error,
    });
  }
}

async function readSecret({
  path,
  title,
}: Pick<SecretSource, 'path' | 'title'>): Promise<string | undefined> {
  const handle = await openIfExists(path, title);
  if (handle === undefined) return undefined;
  try {
    // Checked through the open handle, so that the checked file is the file read.
    const found = await handle.stat();
    if (!found.isFile()) throw new SecretFileError(`the ${title} file ${path} is not a regular file`);
    if ((found.mode & 0o077) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
      throw new SecretFileError(
        `the ${title} file ${path} has mode ${mode}, so other users can access it: chmod 600 ${quoted(path)}`,
      );
    }
    if (found.size > MAX_FILE_BYTES)
      throw new SecretFileError(`the ${title} file ${path} is longer than ${MAX_FILE_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function openIfExists(path: string, title: string): Promise<FileHandle | undefined> {
  try {
    // Non-blocking, because opening a pipe would block indefinitely.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    throw new SecretFileError(`the ${title} file ${path} cannot be opened (${code ?? 'failed'})`, {
      cause: error,
    });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Prints a private JWK (Ed25519) with the thumbprint of RFC 7638, which requires the members in this order. */
const PRINT_JWT_KEY =
  'node -e \'const c=require("crypto"),k=c.generateKeyPairSync("ed25519").privateKey.export({format:"jwk"});' +
  'k.alg="EdDSA";k.kid=c.createHash("sha256").update(JSON.stringify({crv:k.crv,kty:k.kty,x:k.x})).digest("base64url");' +
  "console.log(JSON.stringify(k))'";

/** Shell command for the operator. The new file is readable by its owner only. */
function commandThatMakes(path: string, print: string): string {
  return `(umask 077; mkdir -p ${quoted(dirname(path))} && ${print} > ${quoted(path)})`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
