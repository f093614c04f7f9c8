/** Opens two stores of images, or of ledgers, and copies the files of one to the other. */
import { existsSync } from 'node:fs';
import { adapterFor } from '../app/adapters.ts';
import { serverAccess } from '../app/server-access.ts';
import { folderOrRefused } from '../app/start-refusals.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type BlobStoreSettings, pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { copyBlobs } from '../operations/archive/copy-files.ts';
import type { CopyFilesTold, FilesCopied } from '../operations/archive/counted-files.ts';
import { environmentWith, readConfigurationOf } from '../operations/config/configuration.ts';

export interface CopyFilesOptions extends CopyFilesTold {
  readonly what: 'images' | 'ledgers';
  /** Undefined: the store that the environment names. */
  readonly from: string | undefined;
  readonly to: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function copyFiles({ what, from, to, env, ...told }: CopyFilesOptions): Promise<FilesCopied> {
  const [source, target] = [placeOf(what, from, '--from', env), placeOf(what, to, '--to', env)];
  if (source.url === target.url)
    throw new OperatorError('--from and --to name the same store: name another target');
  // Opening it would make the folder.
  if (schemeOf(source.url) === 'file' && !existsSync(pathIn(source.url)))
    throw new OperatorError(`there is no folder ${pathIn(source.url)}: name the source in --from`);
  const read = await openedAt(source);
  try {
    const written = await openedAt(target);
    try {
      return await copyBlobs({ source: read, target: written, content: source.content }, told);
    } finally {
      await written.close();
    }
  } finally {
    await read.close();
  }
}

interface Place extends Pick<BlobStoreSettings, 'url' | 'content'> {
  /** How the operator named it. */
  readonly name: string;
  readonly credentials: string | undefined;
  readonly ca: string | undefined;
}

function placeOf(
  what: CopyFilesOptions['what'],
  url: string | undefined,
  option: string,
  env: NodeJS.ProcessEnv,
): Place {
  const variable = what === 'images' ? 'IMAGE_STORE' : 'LEDGER_STORE';
  const given = environmentWith(env, ['DATA_DIR', `${variable}_URL`, 'CA_FILE', 'MONGODB_CREDENTIALS_FILE']);
  if (url !== undefined) given[`${variable}_URL`] = url;
  const name = url === undefined ? `${variable}_URL` : option;
  const found = readConfigurationOf(given, { variable: `${variable}_URL`, option: name });
  return {
    url: (what === 'images' ? found.imageStore : found.ledgerStore).url,
    content: what === 'images' ? 'image' : 'ledger file',
    name,
    credentials: found.mongoDbCredentialsFile,
    ca: found.caFile,
  };
}

/** A server that does not answer is not waited for. */
async function openedAt({ url, content, name, credentials, ca }: Place): Promise<BlobStore> {
  const adapter = adapterFor('blob-store', url);
  const opened =
    schemeOf(url) === 'file'
      ? await folderOrRefused({ folder: pathIn(url), name }, () => adapter.open({ url, content }))
      : await adapter.open({ url, content, ...(await serverAccess('MongoDB', { credentials, ca })) });
  return opened.store;
}
