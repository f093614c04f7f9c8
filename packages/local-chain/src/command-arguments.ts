/** Parses the command-line arguments. Pure, so that tests can check every error message. */
import { parseArgs } from 'node:util';
import { parseAddress } from 'levy-solana-wire';
import type { LocalChainOptions } from './local-chain.ts';
import type { ProgramFile } from './program-files.ts';

export type Command =
  | { readonly kind: 'run'; readonly options: LocalChainOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'refused'; readonly reason: string };

const DEFAULT_PORT = 8_899;
const DEFAULT_FOLDER = './levy-local-chain';
const DEFAULT_SLOT_MILLISECONDS = 250;
const MAX_SLOT_MILLISECONDS = 3_600_000;

export const HELP = `Usage: levy-local-chain [options]

A Solana test validator that needs only Node: JSON-RPC on 127.0.0.1, stored in a folder.

  --port <number>        port to listen on; 0 selects a free port (default ${DEFAULT_PORT})
  --data <folder>        folder of the chain; created if missing (default ${DEFAULT_FOLDER})
  --slot-ms <number>     milliseconds per slot (default ${DEFAULT_SLOT_MILLISECONDS})
  --nonces <on|off>      support of durable nonces (default on)
  --program <id>=<file>  loads a program from an ELF file, as \`solana program dump\` writes it; may be repeated
  --account <file>       loads accounts that are missing on the chain from a JSON file, as
                         \`solana account --output json\` writes it; may be repeated
  --help                 prints this help
  --version              prints the version
`;

class Refused extends Error {}

export function parseCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: String(DEFAULT_PORT) },
        data: { type: 'string', default: DEFAULT_FOLDER },
        'slot-ms': { type: 'string', default: String(DEFAULT_SLOT_MILLISECONDS) },
        nonces: { type: 'string', default: 'on' },
        program: { type: 'string', multiple: true, default: [] },
        account: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.version) return { kind: 'version' };
    const options: LocalChainOptions = {
      port: wholeNumber('--port', values.port, 0, 65_535),
      dataDir: notEmpty('--data', values.data),
      slotMilliseconds: wholeNumber('--slot-ms', values['slot-ms'], 1, MAX_SLOT_MILLISECONDS),
      nonces: onOrOff('--nonces', values.nonces),
      programs: programFiles(values.program),
      accountFiles: values.account.map((file) => notEmpty('--account', file)),
      optionNames: { programs: '--program', accountFiles: '--account' },
    };
    return { kind: 'run', options };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', reason: error.message };
    if (isParsingError(error)) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

function isParsingError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new Refused(`${option} must be a whole number from ${least} to ${most}, not "${text}"`);
  }
  return value;
}

function onOrOff(option: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Refused(`${option} must be on or off, not "${text}"`);
  return text === 'on';
}

function notEmpty(option: string, text: string): string {
  if (text === '') throw new Refused(`${option} must be a path`);
  return text;
}

function programFiles(texts: readonly string[]): ProgramFile[] {
  const programs = texts.map((text) => {
    const [programId = '', ...rest] = text.split('=');
    const file = rest.join('=');
    if (file === '') throw new Refused(`--program must be <program id>=<file>, not "${text}"`);
    if (parseAddress(programId) === undefined) {
      throw new Refused(`--program must start with a program id; "${programId}" is not an address`);
    }
    return { programId, file };
  });
  const ids = new Set(programs.map(({ programId }) => programId));
  if (ids.size < programs.length) throw new Refused('--program is given twice for the same program id');
  return programs;
}
