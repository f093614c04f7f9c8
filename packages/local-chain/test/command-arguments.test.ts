// The command line: what it means, and how each mistake in it is told.
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../src/command-arguments.ts';

const PROGRAM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const OTHER = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const optionNames = { programs: '--program', accountFiles: '--account' };

test('without arguments the chain has the port of a test validator and a folder of its own', () => {
  expect(parseCommand([])).toEqual({
    kind: 'run',
    options: {
      port: 8_899,
      dataDir: './levy-local-chain',
      slotMilliseconds: 250,
      nonces: true,
      programs: [],
      accountFiles: [],
      optionNames,
    },
  });
});

test('every option reaches the chain, and those that may be repeated keep their order', () => {
  const args =
    `--port 0 --data ./chain --slot-ms=50 --nonces off --program ${PROGRAM}=a.so --account b.json ` +
    `--program ${OTHER}=with=sign.so --account=c.json`;
  expect(parseCommand(args.split(' '))).toEqual({
    kind: 'run',
    options: {
      port: 0,
      dataDir: './chain',
      slotMilliseconds: 50,
      nonces: false,
      programs: [
        { programId: PROGRAM, file: 'a.so' },
        { programId: OTHER, file: 'with=sign.so' },
      ],
      accountFiles: ['b.json', 'c.json'],
      optionNames,
    },
  });
});

describe('what cannot be meant is refused in a sentence:', () => {
  test.each([
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536"'],
    [['--port', '-1'], /^Option '--port' argument is ambiguous/],
    [['--port=-1'], '--port must be a whole number from 0 to 65535, not "-1"'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65535, not "1e3"'],
    [['--port', ''], '--port must be a whole number from 0 to 65535, not ""'],
    [['--slot-ms', '0'], '--slot-ms must be a whole number from 1 to 3600000, not "0"'],
    [['--nonces', 'no'], '--nonces must be on or off, not "no"'],
    [['--slot-ms', '2.5'], '--slot-ms must be a whole number from 1 to 3600000, not "2.5"'],
    [['--data', ''], '--data must be a path'],
    [['--account', ''], '--account must be a path'],
    [['--program', PROGRAM], `--program must be <program id>=<file>, not "${PROGRAM}"`],
    [['--program', `${PROGRAM}=`], `--program must be <program id>=<file>, not "${PROGRAM}="`],
    [['--program', 'me=a.so'], '--program must start with a program id; "me" is not an address'],
    [
      ['--program', `${PROGRAM}=a.so`, '--program', `${PROGRAM}=b.so`],
      '--program is given twice for the same program id',
    ],
    [['--prot', '1'], /^Unknown option '--prot'/],
    [['chain'], /^Unexpected argument 'chain'/],
    [['--data'], /^Option '--data <value>' argument missing$/],
  ])('%j', (args, reason) => {
    expect(parseCommand(args)).toEqual({
      kind: 'refused',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });
});
