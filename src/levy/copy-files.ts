/** Opens two stores of images, or of ledgers, and copies the files of one to the other. */
import { existsSync } from 'node:fs';
import { adapterFor } from '../app/adapters.ts';
import { serverAccess } from '../app/server-access.ts';
import { folderOrRefused } from '../app/start-refusals.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import {
  type Adapter,
  type ImageStoreSettings,
  type OpenedFiles,
  schemeOf,
} from '../kernel/ports/technology.ts';
import { copyImages, copyLedgers } from '../operations/archive/copy-files.ts';
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
  if (schemeOf(source.url) === 'file' && !existsSync(source.url.slice('file:'.length)))
    throw new OperatorError(
      `there is no folder ${source.url.slice('file:'.length)}: name the source in --from`,
    );
  return what === 'images'
    ? between([source, target], openImages, (stores) => copyImages(stores, told))
    : between([source, target], openLedgers, (stores) => copyLedgers(stores, told));
}

interface Place {
  readonly url: string;
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
    name,
    credentials: found.mongoDbCredentialsFile,
    ca: found.caFile,
  };
}

const openImages = (place: Place) => openedAt(adapterFor('image-store', place.url), place);
const openLedgers = (place: Place) => openedAt(adapterFor('blob-store', place.url), place);

async function between<Store extends { close(): Promise<void> }>(
  [source, target]: readonly [Place, Place],
  open: (place: Place) => Promise<Store>,
  copy: (stores: { readonly source: Store; readonly target: Store }) => Promise<FilesCopied>,
): Promise<FilesCopied> {
  const from = await open(source);
  try {
    const to = await open(target);
    try {
      return await copy({ source: from, target: to });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** A server that does not answer is not waited for. */
async function openedAt<Store>(
  adapter: Adapter<ImageStoreSettings, OpenedFiles<Store>>,
  { url, name, credentials, ca }: Place,
): Promise<Store> {
  const opened =
    schemeOf(url) === 'file'
      ? await folderOrRefused({ folder: url.slice('file:'.length), name }, () => adapter.open({ url }))
      : await adapter.open({ url, ...(await serverAccess('MongoDB', { credentials, ca })) });
  return opened.store;
}
