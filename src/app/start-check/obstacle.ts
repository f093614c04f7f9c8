/** What a check of a start finds, part by part. */
import { messageOf } from '../../kernel/runtime/message-of.ts';

export interface Obstacle {
  /** A sentence: what is wrong, where, and what to do. */
  readonly problem: string;
  /** A command of the shell that takes the obstacle away. */
  readonly command?: string;
}

export interface PartReport {
  readonly part: string;
  /** `not checked`: something that it needs has an obstacle itself. */
  readonly outcome: 'holds' | 'obstacles' | 'not checked';
  /** What was found, or why it was not checked. */
  readonly remarks: readonly string[];
  readonly obstacles: readonly Obstacle[];
}

export type ShowProgress = (done: number, of: number) => void;

/** Collects what is found of one part. */
export interface Findings {
  remark(text: string): void;
  obstacle(problem: string, command?: string): void;
  /** Runs `look`; an error of it is an obstacle. Undefined if there was one. */
  attempt<Result>(look: () => Promise<Result>): Promise<Result | undefined>;
}

export async function reportOn(
  part: string,
  look: (findings: Findings) => Promise<void>,
): Promise<PartReport> {
  const remarks: string[] = [];
  const obstacles: Obstacle[] = [];
  const findings: Findings = {
    remark: (text) => void remarks.push(text),
    obstacle: (problem, command) =>
      void obstacles.push({ problem, ...(command !== undefined && { command }) }),
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        obstacles.push({ problem: messageOf(error) });
        return undefined;
      }
    },
  };
  await findings.attempt(() => look(findings));
  return { part, outcome: obstacles.length === 0 ? 'holds' : 'obstacles', remarks, obstacles };
}

export function notChecked(part: string, because: string): PartReport {
  return { part, outcome: 'not checked', remarks: [because], obstacles: [] };
}
