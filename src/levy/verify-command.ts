/** `levy verify`: checks a proof, or a whole transparency log, without trusting the service. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
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
import { parsedJson, readBoundedFile, SMALL } from '../kernel/runtime/bounded-input.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { LevyCommand } from './levy-command.ts';
import { baseOf, fetchFile } from './service-client.ts';
import type { Terminal } from './terminal.ts';

interface VerifyOptions {
  readonly policy?: string;
  readonly key?: string;
}

export function verifyCommand(terminal: Terminal): Command {
  return new LevyCommand('verify')
    .summary('check a proof or a transparency log')
    .description(
      'Checks a proof of `levy prove`, a proof of a payment, or a log. A log is a folder with `checkpoint` and `tile/`, saved ' +
        'from a service under /log, or an address (https://levy.example/log). Without --policy or --key, a proof ' +
        'is checked with the key in its file. Then compare that key with another source.',
    )
    .argument('<proof, folder or address>', 'the proof, or the log to check')
    .option('--policy <file>', 'the trusted logs and required witnesses (C2SP tlog-policy)')
    .option('--key <key>', "the log's verifier key, instead of a policy")
    .examples(`
  $ levy verify payment-proof.json --policy policy.txt
  $ levy verify https://levy.example/log --key levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k`)
    .action(async (what: string, options: VerifyOptions) => {
      const policy = await policyOf(options);
      try {
        const isLog = isAddress(what) || (await stat(what)).isDirectory();
        await (isLog ? checkLog(terminal, what, policy) : checkProof(terminal, what, policy));
      } catch (error) {
        if (!(error instanceof NoteInvalid)) throw error;
        terminal.foundSomething();
        await terminal.result({ holds: false, problem: error.message }, `does not hold: ${error.message}`);
      }
    });
}

async function policyOf({ policy, key }: VerifyOptions): Promise<Policy | undefined> {
  try {
    if (policy !== undefined) return parsePolicy(await textIn(policy));
    return key === undefined ? undefined : policyOfLog(parseVerifierKey(key));
  } catch (error) {
    throw new OperatorError(errorMessage(error), { cause: error });
  }
}

const isAddress = (what: string) => /^https?:\/\//.test(what);

async function checkProof(terminal: Terminal, path: string, policy: Policy | undefined): Promise<void> {
  const shown = checkProofFile(parsedJson(await textIn(path)), policy);
  const { event, index, checkpoint, believedKey, witnesses, payments } = shown;
  const { origin, size } = checkpoint;
  await terminal.result(
    { holds: true, event, index, origin, size, believedKey, witnesses, payments },
    [
      ...payments.map(
        ({ wallet, planned, root }) => `${wallet} is in the ledger with root ${root}, to be paid ${planned}`,
      ),
      `${event.type} (${event.id}, ${event.stream}@${event.revision}) is entry ${index}`,
      `  of the log ${origin} with ${size} entries`,
      ...cosigned(witnesses),
      'holds',
    ],
    [
      ...(payments.length === 0 ? [] : [NOT_IN_A_PROOF]),
      ...(believedKey === undefined ? [] : [`Checked with the key in the file itself: ${believedKey}`]),
    ],
  );
}

const NOT_IN_A_PROOF =
  'This proof does not show whether the amount was paid, and by which transaction; the settlement of the run and the chain do.';

async function checkLog(terminal: Terminal, place: string, policy: Policy | undefined): Promise<void> {
  const base = isAddress(place) ? baseOf(place) : undefined;
  const read: ReadLogFile = base === undefined ? readerOfFolder(place) : (path) => fetchFile(base, path);
  const trusted = policy ?? (await keyOfLog(read));
  const progress = terminal.progress('verify', 'entries');
  const { checkpoint, witnesses } = await verifyLog(read, trusted, progress);
  const root = Buffer.from(checkpoint.root).toString('hex');
  const [key] = policy === undefined ? trusted.logs.map(verifierKey) : [];
  await terminal.result(
    { holds: true, ...checkpoint, root, witnesses, believedKey: key },
    [`the log ${checkpoint.origin} holds: ${checkpoint.size} entries, root ${root}`, ...cosigned(witnesses)],
    key === undefined ? [] : [`Checked with the key that the log itself publishes: ${key}`],
  );
}

function cosigned(witnesses: readonly string[]): readonly string[] {
  return witnesses.length === 0 ? [] : [`  also signed by ${witnesses.join(', ')}`];
}

async function keyOfLog(read: ReadLogFile): Promise<Policy> {
  const key = await read('key');
  if (key === undefined)
    throw new OperatorError('The log has no file "key"; set the key of the log with --policy or --key.');
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

async function textIn(path: string): Promise<string> {
  return Buffer.from(await readBoundedFile(path, SMALL)).toString();
}
