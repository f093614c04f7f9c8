/** Certificates of servers that sign for themselves, made by OpenSSL where that is there. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { folderForTheFile } from './after-the-file.ts';

export interface Certificate {
  /** Paths of the files. */
  readonly key: string;
  readonly certificate: string;
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** `names`: as OpenSSL writes them, such as `DNS:localhost,IP:127.0.0.1`. */
export async function makeCertificate(names: string): Promise<Certificate> {
  const folder = await folderForTheFile();
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const { status } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=server of a test'],
    ...['-addext', `subjectAltName=${names}`, '-keyout', key, '-out', certificate],
  ]);
  if (status !== 0) throw new Error('OpenSSL made no certificate');
  return { key, certificate };
}
