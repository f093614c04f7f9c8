/** `levy verify`: checks a proof, or a whole transparency log, without believing the service. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import {
  checkProofFile,
  NoteInvalid,
  type Policy,
  parsePolicy,
  parseVerifierKey,
  policyOfLog,
  type ReadLogFile,
  verifierKey,
  verifyLog,
} from 'levy-transparency-log';
import { OperatorError } from '../kernel/ports/errors.ts';
import { readBody, readBoundedFile, SMALL } from '../kernel/runtime/bounded-input.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { parsedJson } from '../kernel/runtime/parsed-json.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds for one file of a log. */
const ANSWER_WITHIN = 60_000;

interface VerifyOptions {
  readonly policy?: string;
  readonly key?: string;
}

export function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .summary('check a proof or a transparency log')
    .description(
      'Checks a proof of `levy prove`, or a log: a folder with `checkpoint` and `tile/`, saved from a service under /log, or the ' +
        'address of one (https://levy.example/log). Without --policy or --key, a proof is checked with the key that it names itself: ' +
        'compare that with one that you know.',
    )
    .argument('<proof, folder or address>', 'what to check')
    .option(
      '--policy <file>',
      'which logs are believed, and which witnesses must have signed (C2SP tlog-policy)',
    )
    .option('--key <key>', "the log's verifier key, in the place of a policy")
    .addHelpText(
      'after',
      `
Examples:
  $ levy verify payment-proof.json --policy policy.txt
  $ levy verify https://levy.example/log --key levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k`,
    )
    .action(async (what: string, options: VerifyOptions) => {
      const policy = await policyOf(options);
      try {
        await ((await isLog(what)) ? checkLog(terminal, what, policy) : checkProof(terminal, what, policy));
      } catch (error) {
        if (!(error instanceof NoteInvalid)) throw error;
        terminal.foundSomething();
        await terminal.out(
          terminal.json
            ? JSON.stringify({ holds: false, problem: error.message })
            : `does not hold: ${error.message}`,
        );
      }
    });
}

async function policyOf({ policy, key }: VerifyOptions): Promise<Policy | undefined> {
  try {
    if (policy !== undefined) return parsePolicy(await textIn(policy));
    return key === undefined ? undefined : policyOfLog(parseVerifierKey(key));
  } catch (error) {
    throw new OperatorError(messageOf(error), { cause: error });
  }
}

async function isLog(what: string): Promise<boolean> {
  return /^https?:\/\//.test(what) || (await stat(what).catch(unreadable)).isDirectory();
}

async function checkProof(terminal: Terminal, path: string, policy: Policy | undefined): Promise<void> {
  const shown = checkProofFile(parsedJson(await textIn(path)), policy);
  const { event, index, checkpoint, believedKey, witnesses, payments } = shown;
  if (terminal.json) {
    const { origin, size } = checkpoint;
    await terminal.out(
      JSON.stringify({ holds: true, event, index, origin, size, believedKey, witnesses, payments }),
    );
    return;
  }
  for (const { wallet, planned, root } of payments)
    await terminal.out(`${wallet} is in the ledger with root ${root}, to be paid ${planned}`);
  await terminal.out(`${event.type} (${event.id}, ${event.stream}@${event.revision}) is entry ${index}`);
  await terminal.out(`  of the log ${checkpoint.origin} with ${checkpoint.size} entries`);
  if (witnesses.length > 0) await terminal.out(`  signed by ${witnesses.join(', ')} as well`);
  await terminal.out('holds');
  if (payments.length > 0)
    terminal.note(
      'Not in this proof: whether it was paid, and by which transaction. The settlement of the run and the chain say that.',
    );
  if (believedKey !== undefined) terminal.note(`The key of the file was believed: ${believedKey}`);
}

async function checkLog(terminal: Terminal, place: string, policy: Policy | undefined): Promise<void> {
  const read = /^https?:\/\//.test(place) ? readerOfAddress(place) : readerOfFolder(place);
  const believed = policy ?? (await keyOfLog(read));
  const line = terminal.progress('verify', 'entries');
  const { checkpoint, witnesses } = await verifyLog(read, believed, line.at);
  line.clear();
  const root = Buffer.from(checkpoint.root).toString('hex');
  const [key] = policy === undefined ? believed.logs.map(verifierKey) : [];
  await terminal.out(
    terminal.json
      ? JSON.stringify({ holds: true, ...checkpoint, root, witnesses, believedKey: key })
      : `the log ${checkpoint.origin} holds: ${checkpoint.size} entries, root ${root}`,
  );
  if (!terminal.json && witnesses.length > 0)
    await terminal.out(`  signed by ${witnesses.join(', ')} as well`);
  if (key !== undefined) terminal.note(`The key of the log itself was believed: ${key}`);
}

async function keyOfLog(read: ReadLogFile): Promise<Policy> {
  const key = await read('key');
  if (key === undefined)
    throw new OperatorError('Say which key signs the log: --policy or --key. The log has no file "key".');
  return policyOfLog(parseVerifierKey(Buffer.from(key).toString().trim()));
}

function readerOfFolder(folder: string): ReadLogFile {
  return async (path) => {
    try {
      return await readBoundedFile(join(folder, path), SMALL);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function readerOfAddress(address: string): ReadLogFile {
  return async (path) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN);
    const response = await fetch(`${address.replace(/\/+$/, '')}/${path}`, { signal }).catch(unreadable);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new OperatorError(`${address} answers ${response.status} to ${path}.`);
    return readBody(response, SMALL, `${address}/${path}`);
  };
}

async function textIn(path: string): Promise<string> {
  return Buffer.from(await readBoundedFile(path, SMALL)).toString();
}

function unreadable(error: unknown): never {
  throw new OperatorError(messageOf(error), { cause: error });
}
