/** Checks the files with secrets as a start does, and names the command that makes missing ones. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readCredentials, readJwtKey, readMasterSeed } from '../../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../../chain/keys.ts';
import type { Values } from '../../operations/config/variables.ts';
import { createKey, parseSigningKey } from '../../server/auth/signing-key.ts';
import type { Findings } from './obstacle.ts';

/** Prints a private JWK (Ed25519) with the thumbprint of RFC 7638, which wants the members in this order. */
const PRINT_JWT_KEY =
  'node -e \'const c=require("crypto"),k=c.generateKeyPairSync("ed25519").privateKey.export({format:"jwk"});' +
  'k.alg="EdDSA";k.kid=c.createHash("sha256").update(JSON.stringify({crv:k.crv,kty:k.kty,x:k.x})).digest("base64url");' +
  "console.log(JSON.stringify(k))'";
const PRINT_SEED = 'openssl rand -hex 32';

const FILES = { exists: (path: string) => existsSync(path), readMasterSeed, readJwtKey, readCredentials };

export interface SecretsToCheck extends Partial<Values> {
  /** Whether the service has been started on this log; undefined where the log could not be read. */
  readonly isLogBegun: boolean | undefined;
}

/** Resolves with the keys of the master seed, where that can be read. */
export async function checkSecrets(
  values: SecretsToCheck,
  findings: Findings,
  files = FILES,
): Promise<Keyring | undefined> {
  const { roles, masterSeedFile, jwtKeyFile, isLogBegun } = values;
  const isEmbedded = values.eventStore?.isEmbedded === true && values.chain?.isEmbedded === true;
  // A start makes them where nothing can hang on others yet.
  const mayCreate = isEmbedded && isLogBegun === false;
  const isThere = (file: string, title: Title, print: string) => {
    if (files.exists(file)) return true;
    tellMissing({ file, title, print, mayCreate, isLogBegun }, findings);
    return false;
  };

  let keyring: Keyring | undefined;
  const needsKeys =
    roles === undefined || ['api', 'settler', 'distributor'].some((role) => roles.has(role as 'api'));
  if (needsKeys && masterSeedFile !== undefined && isThere(masterSeedFile, 'master seed', PRINT_SEED)) {
    const read = await findings.attempt(() => files.readMasterSeed(masterSeedFile, { mayCreate: false }));
    if (read !== undefined) {
      keyring = createKeyring(read.seed);
      if (isEmbedded && isLogBegun === false)
        findings.remark(
          'there is a master seed but no log: if this service has run before, its log is missing',
        );
    }
  }
  const needsJwt = roles === undefined || roles.has('api');
  if (needsJwt && jwtKeyFile !== undefined && isThere(jwtKeyFile, 'JWT key', PRINT_JWT_KEY)) {
    await findings.attempt(() =>
      files.readJwtKey(jwtKeyFile, { mayCreate: false, make: createKey, parse: parseSigningKey }),
    );
  }
  for (const [file, title] of credentialsIn(values)) {
    if (files.exists(file)) await findings.attempt(() => files.readCredentials(file, title));
    else
      findings.obstacle(
        `there is no ${title} file ${file}: write the user, a colon and the password to it, readable by its owner alone (mode 0600)`,
      );
  }
  return keyring;
}

type Title = 'master seed' | 'JWT key';

/** Tells what it means that a secret's file is missing. `print`: the command that prints a new secret. */
export function tellMissing(
  {
    file,
    title,
    print,
    mayCreate,
    isLogBegun,
  }: {
    readonly file: string;
    readonly title: Title;
    readonly print: string;
    /** A start makes the file. */
    readonly mayCreate: boolean;
    readonly isLogBegun: boolean | undefined;
  },
  findings: Pick<Findings, 'remark' | 'obstacle'>,
): void {
  const missing = `there is no ${title} file ${file}`;
  if (mayCreate) findings.remark(`the first start makes the ${title} (${file})`);
  else if (isLogBegun !== true)
    findings.obstacle(
      `${missing}. If this service has run before, put back the file that it ran with; for a new service make one, and keep a copy of it`,
      commandThatMakes(file, print),
    );
  else if (title === 'master seed')
    findings.obstacle(`${missing}, and the log was begun with one: put back that file`);
  else
    findings.obstacle(
      `${missing}, and the log was begun with one: put back that file, or make another one: users then sign in anew`,
      commandThatMakes(file, print),
    );
}

function credentialsIn(values: Partial<Values>): readonly (readonly [file: string, title: string])[] {
  const named: readonly (readonly [string | undefined, string])[] = [
    [values.eventStoreCredentialsFile, 'EventStoreDB credentials'],
    [values.mongoDbCredentialsFile, 'MongoDB credentials'],
  ];
  const files = new Map(
    named.flatMap(([file, title]) => (file === undefined ? [] : [[file, title] as const])),
  );
  return [...files];
}

/** Readable by its owner only, from its creation on. */
function commandThatMakes(file: string, print: string): string {
  return `(umask 077; mkdir -p ${quoted(dirname(file))} && ${print} > ${quoted(file)})`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
