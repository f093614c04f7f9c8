/** Reads the service's secrets from files, and creates them where a first start may. Never logs their content. */
import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { makePrivateDirectory, writeDurably } from './durable-file.ts';

const SEED_BYTES = 32;
const SEED_TEXT = /^[0-9a-f]{64}$/i;
/** Far more than any secret needs; keeps a wrong path from being read into memory. */
const MAX_FILE_BYTES = 16 * 1024;

/** An unusable secret. The message says what to do, and nothing of the file's content. */
export class SecretFileError extends OperatorError {
  override readonly name = 'SecretFileError';
}

interface JwtKeyOptions<Key> {
  readonly mayCreate: boolean;
  /** Called only if the file does not exist and `mayCreate` allows it. */
  readonly make: () => Promise<Key>;
  /** Throws an Error with a sentence for the operator, which never quotes the text. */
  readonly parse: (text: string) => Key;
}

/**
 * The file holds the seed as 64 hexadecimal digits and a line end, mode 0600. `mayCreate`: store and chain are both
 * embedded and the log is empty, so that no collected tax can hang on another seed. Throws `SecretFileError`.
 */
export async function readMasterSeed(file: string, options: { readonly mayCreate: boolean }) {
  const path = resolve(file);
  const { text, created } = await readOrMake({
    path,
    title: 'master seed',
    mayCreate: options.mayCreate,
    make: async () => `${randomBytes(SEED_BYTES).toString('hex')}\n`,
    ifMissing:
      'If this service has run before, put back the file that it ran with: everything it holds hangs on that seed. ' +
      `For a new service make one, and keep a copy of it: ${commandThatMakes(path, `openssl rand -hex ${SEED_BYTES}`)}`,
  });
  const digits = text.trim();
  if (!SEED_TEXT.test(digits)) {
    throw new SecretFileError(
      `the master seed file ${path} does not hold ${2 * SEED_BYTES} hexadecimal digits and nothing else; put back the right file`,
    );
  }
  const seed = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (seed.every((byte) => byte === seed[0])) {
    throw new SecretFileError(`the master seed file ${path} holds a placeholder, not random bytes`);
  }
  /** `created`: this call created the file, so that the operator is asked to keep a copy. */
  return { seed, created };
}

/** The file holds one private key as JSON (a JWK), mode 0600. Throws `SecretFileError`. */
export async function readJwtKey<Key>(file: string, options: JwtKeyOptions<Key>) {
  const path = resolve(file);
  const { text, created } = await readOrMake({
    path,
    title: 'JWT key',
    mayCreate: options.mayCreate,
    make: async () => `${JSON.stringify(await options.make())}\n`,
    ifMissing:
      'If this service has run before, put back the file that it ran with; with another one, all users sign in again. ' +
      `A new one is made by ${commandThatMakes(path, PRINT_JWT_KEY)}`,
  });
  try {
    return { key: options.parse(text), created };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new SecretFileError(`the JWT key file ${path} cannot be used: ${reason}`, { cause: error });
  }
}

/** The file holds a user, a colon and a password, mode 0600. `title` says whose. Throws `SecretFileError`. */
export async function readCredentials(file: string, title: string) {
  const path = resolve(file);
  const text = (await readSecret({ path, title }))?.trim();
  if (text === undefined) throw new SecretFileError(`there is no ${title} file ${path}`);
  const colon = text.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(text)) {
    throw new SecretFileError(
      `the ${title} file ${path} does not hold a user, a colon and a password in one line`,
    );
  }
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The file holds an operator's key and nothing else, mode 0600. Throws `SecretFileError`. */
export async function readOperatorKey(file: string): Promise<string> {
  const path = resolve(file);
  const text = await readSecret({ path, title: "operator's key" });
  if (text === undefined) throw new SecretFileError(`there is no operator's key file ${path}`);
  return operatorKeyIn(text.trim(), path);
}

/** Like `readOperatorKey`, but makes the file if there is none. */
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
    throw new SecretFileError(`the operator's key file ${path} does not hold one key and nothing else`);
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
    throw new SecretFileError(`there is no ${source.title} file ${source.path}. ${source.ifMissing}`);
  }
  const created = await makeSecret(source);
  // A file just created is read back too: another process may have been first, and then its secret counts.
  const text = await readSecret(source);
  if (text === undefined)
    throw new SecretFileError(`the ${source.title} file ${source.path} went away while starting`);
  return { text, created };
}

/** False if another process created the file in the meantime. */
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
  const handle = await openIfThere(path, title);
  if (handle === undefined) return undefined;
  try {
    // Checked through the open handle, so that the checked file is the one that is read.
    const found = await handle.stat();
    if (!found.isFile()) throw new SecretFileError(`the ${title} file ${path} is not a regular file`);
    if ((found.mode & 0o077) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
      throw new SecretFileError(
        `the ${title} file ${path} has mode ${mode}, so others than its owner may use it: chmod 600 ${quoted(path)}`,
      );
    }
    if (found.size > MAX_FILE_BYTES)
      throw new SecretFileError(`the ${title} file ${path} is too long to be one`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function openIfThere(path: string, title: string): Promise<FileHandle | undefined> {
  try {
    // Non-blocking, because opening a pipe would wait indefinitely.
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

/** A command that an operator may copy into a shell. The file is readable by its owner only from its creation on. */
function commandThatMakes(path: string, print: string): string {
  return `(umask 077; mkdir -p ${quoted(dirname(path))} && ${print} > ${quoted(path)})`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
