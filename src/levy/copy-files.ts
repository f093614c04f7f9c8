/** Opens two stores of images, or of ledgers, and copies the files of one to the other. */
import { existsSync } from 'node:fs';
import { FILE_STORES, openFileStore, storeConfiguration } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { copyBlobs } from '../operations/archive/copy-files.ts';
import type { CopyFilesTold, FilesCopied } from '../operations/archive/counted-files.ts';

export interface CopyFilesOptions extends CopyFilesTold {
  readonly what: keyof typeof FILE_STORES;
  /** Undefined: the store that the environment names. */
  readonly from: string | undefined;
  readonly to: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function copyFiles({ what, from, to, env, ...told }: CopyFilesOptions): Promise<FilesCopied> {
  const { key, variable, content } = FILE_STORES[what];
  const placeOf = (option: string, url: string | undefined) => {
    const configuration = storeConfiguration(env, { [variable]: { option, url } });
    const name = url === undefined ? variable : option;
    return { configuration, url: configuration[key].url, option: name };
  };
  const [source, target] = [placeOf('--from', from), placeOf('--to', to)];
  if (source.url === target.url)
    throw new OperatorError('--from and --to name the same store: name another target');
  // Opening it would make the folder.
  if (schemeOf(source.url) === 'file' && !existsSync(pathIn(source.url)))
    throw new OperatorError(`there is no folder ${pathIn(source.url)}: name the source in --from`);
  const { store: read } = await openFileStore(what, source.configuration, source);
  try {
    const { store: written } = await openFileStore(what, target.configuration, target);
    try {
      return await copyBlobs({ source: read, target: written, content }, told);
    } finally {
      await written.close();
    }
  } finally {
    await read.close();
  }
}
