/** Opens a store of files: in a folder, or on a server. */
import type { ClientMeter } from '../ports/client-meter.ts';
import { type Adapter, type ImageStoreSettings, type OpenedFiles, schemeOf } from '../ports/technology.ts';
import { type AccessFiles, serverAccess } from './server-access.ts';
import { folderOrRefused } from './start-refusals.ts';

/** `name` is the variable with the address. */
export async function openFiles<Store>(
  adapter: Adapter<ImageStoreSettings, OpenedFiles<Store>>,
  { url, name }: { readonly url: string; readonly name: string },
  {
    meter,
    report,
    ...files
  }: AccessFiles & {
    readonly meter: ClientMeter;
    readonly report: (message: string, details: object) => void;
  },
): Promise<OpenedFiles<Store>> {
  if (schemeOf(url) !== 'file')
    return adapter.open({ url, meter, waiting: report, ...(await serverAccess('MongoDB', files)) });
  const folder = url.slice(url.indexOf(':') + 1);
  return folderOrRefused({ folder, name }, () => adapter.open({ url }));
}
