/** Store that a contract suite opens in a folder of its own, reopens, and finally removes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ReopenedFolder<Port> {
  readonly first: Port;
  /** Closes what is open and opens it again in the same folder. */
  reopen(): Promise<Port>;
  dispose(): Promise<void>;
}

/** `open` gets the folder; `close` closes what it opened last. */
export async function reopenedFolder<Port>(
  open: (folder: string) => Promise<{ readonly port: Port; close(): Promise<void> }>,
): Promise<ReopenedFolder<Port>> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  let current = await open(folder);
  return {
    first: current.port,
    async reopen() {
      await current.close();
      current = await open(folder);
      return current.port;
    },
    async dispose() {
      await current.close();
      await rm(folder, { recursive: true });
    },
  };
}
