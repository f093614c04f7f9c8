/** The folder in which a data folder is restored. As long as it is there, no service may start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from './claim-log.ts';

export const RESTORING = '.restoring';
/** What is left of it for a moment when everything is in its place. */
export const RESTORED = '.restored';

export function requireRestored(dataDirectory: string): void {
  if (!existsSync(join(dataDirectory, RESTORING))) return;
  throw new StartRefused(
    `The restoring of "${dataDirectory}" (DATA_DIR) was interrupted. Run the same "levy restore" again until it says that it is done.`,
  );
}
