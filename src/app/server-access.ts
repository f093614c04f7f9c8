/** Reads what a server asks of who connects from the files that the configuration names. */
import { readCredentials } from '../adapters/file/secrets.ts';

export interface AccessFiles {
  readonly credentials: string | undefined;
  readonly ca: string | undefined;
}

/** `title` names the server in messages. */
export async function serverAccess(title: string, { credentials, ca }: AccessFiles) {
  return {
    user: credentials === undefined ? undefined : await readCredentials(credentials, `${title} credentials`),
    caFile: ca,
  };
}
