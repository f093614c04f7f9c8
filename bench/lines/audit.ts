/**
 * `levy audit` of all data of a service: a clean log, its read models, its chain, its ledgers and its transparency
 * log.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atExit } from '../measuring/at-exit.ts';
import { ENVIRONMENT, leaveDistributedLog } from '../measuring/distributed-log.ts';
import { type Line, written } from '../measuring/line.ts';
import { residentMegabytesOf } from '../measuring/memory.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const LEVY = fileURLToPath(new URL('../../dist/levy.js', import.meta.url));
const EVENTS = 100_000;
const TOKENS = 10;
const RUNS_EACH = 10;
const TARGET_SECONDS = 120;
const LOOK_AGAIN = 100;

export const audit: Line = () =>
  inTemporaryFolder(async (folder) => {
    const { events, runs } = await leaveDistributedLog(folder, {
      tokens: TOKENS,
      runsEach: RUNS_EACH,
      events: EVENTS,
    });
    const { seconds, megabytes, report } = await audited(folder);
    if (report.outcome !== 'held')
      throw new Error(`the log is clean, and the audit says ${JSON.stringify(report)}`);
    return [
      {
        what: `seconds of \`levy audit\`, ${events.toLocaleString('en-US')} events and ${runs} runs of ${TOKENS} tokens`,
        ratio: seconds,
        target: { atMost: TARGET_SECONDS },
        figures: `${written(report.log.events / report.seconds)} events/s, all checks together; ${written(megabytes)} MB of memory at most`,
      },
    ];
  });

interface Audited {
  readonly seconds: number;
  readonly megabytes: number;
  readonly report: {
    readonly outcome: string;
    readonly seconds: number;
    readonly log: { readonly events: number };
  };
}

function audited(folder: string): Promise<Audited> {
  const begun = performance.now();
  const child = spawn(process.execPath, [LEVY, '--json', 'audit'], {
    env: { PATH: process.env.PATH, ...ENVIRONMENT, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  let megabytes = 0;
  const look = setInterval(() => {
    const now = residentMegabytesOf(child.pid ?? 0);
    if (now > megabytes) megabytes = now;
  }, LOOK_AGAIN);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      forget();
      clearInterval(look);
      if (text === '') return reject(new Error(`levy audit ended with ${code}`));
      resolve({ seconds: (performance.now() - begun) / 1_000, megabytes, report: JSON.parse(text) });
    });
  });
}
