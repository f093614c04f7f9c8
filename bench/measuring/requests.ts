/**
 * Compares servers by their responses per second, and per second of their processor time. Both agree if the load
 * generator has a core of its own. If it has not, only the second is meaningful.
 */
import { type Alternation, compare, inTurns } from './alternate.ts';
import type { ServerProcess } from './child.ts';
import type { LoadGenerator, LoadJob } from './load.ts';
import { processorSecondsOf } from './processor-time.ts';

export interface Asked extends Omit<LoadJob, 'url'> {
  readonly server: ServerProcess;
}

/** A job that differs each time. */
export interface AskedAnew {
  asked(): Asked;
  /** Receives the number of responses of the last job. */
  answered(answers: number): void;
}

/** Number of responses until the server's code is compiled. On a busy machine they take seconds. */
const WARM_UP_ANSWERS = 15_000;
const WARM_UP_TRIES = 12;
const WARM_UP_MILLISECONDS = 500;

export interface RequestRates<Side extends string> {
  /** Responses per second. */
  readonly rates: Alternation<Side>;
  /** Responses per second of the server's processor time. */
  readonly work: Alternation<Side>;
}

export async function alternateRequests<Side extends string>(
  rounds: number,
  load: LoadGenerator,
  sides: Readonly<Record<Side, Asked | AskedAnew>>,
): Promise<RequestRates<Side>> {
  const names = Object.keys(sides) as Side[];
  const run = async (name: Side, times: Partial<LoadJob> = {}) => {
    const side: Asked | AskedAnew = sides[name];
    const { server, ...job } = 'asked' in side ? side.asked() : side;
    const before = processorSecondsOf(server.pid);
    const { rate, answers } = await load.run({ ...job, ...times, url: server.url });
    if ('asked' in side) side.answered(answers);
    return { rate, answers, work: answers / (processorSecondsOf(server.pid) - before) };
  };
  for (const name of names) {
    let answers = 0;
    for (let tries = 0; tries < WARM_UP_TRIES && answers < WARM_UP_ANSWERS; tries++) {
      answers += (await run(name, { warmUpMilliseconds: 0, milliseconds: WARM_UP_MILLISECONDS })).answers;
    }
  }
  const ask = (name: Side) => () => run(name);
  const results = await inTurns(
    rounds,
    Object.fromEntries(names.map((name) => [name, ask(name)])) as Record<Side, ReturnType<typeof ask>>,
  );
  const each = (figure: 'rate' | 'work') =>
    new Map([...results].map(([name, values]) => [name, values.map((value) => value[figure])] as const));
  return { rates: compare(each('rate')), work: compare(each('work')) };
}
