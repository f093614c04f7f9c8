/**
 * Compares servers by the requests that they answer: in a second, and in a second of their processor time. The first is what is
 * asked for; the second says the same where the load generator has a core to itself, and still says it where it has not.
 */
import { type Alternation, compare, inTurns } from './alternate.ts';
import type { ServerProcess } from './child.ts';
import type { LoadGenerator, LoadJob } from './load.ts';
import { processorSecondsOf } from './processor-time.ts';

export interface Asked extends Omit<LoadJob, 'url'> {
  readonly server: ServerProcess;
}

/** A job that is another one each time. */
export interface AskedAnew {
  asked(): Asked;
  /** Told how many answers the last job had. */
  answered(answers: number): void;
}

/** Until the code that answers has been compiled; on a busy machine that takes seconds. */
const WARM_UP_ANSWERS = 15_000;
const WARM_UP_TRIES = 12;
const WARM_UP_MILLISECONDS = 500;

export interface RequestRates<Side extends string> {
  /** Answers a second. */
  readonly rates: Alternation<Side>;
  /** Answers for each second of the server's processor time. */
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
