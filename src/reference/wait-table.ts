/** The tables of a run's steps and of what they wait for, made from the lists that the engine uses. */
import { STEP_LIMITS } from '../distribution/waiting/step-limits.ts';
import { IDLE_STEPS, RUN_STEPS } from '../streams/distribution-step.ts';
import { type DeclaredWait, WAITS } from '../streams/distribution-wait.ts';
import { markdownTable } from './markdown.ts';

/** Markdown, ending with a line end. */
export function stepTable(): string {
  const limits: { readonly [step: string]: number } = STEP_LIMITS;
  const steps = Object.entries(RUN_STEPS).map(([step, meaning]) => [
    `\`${step}\``,
    meaning,
    limits[step] === undefined ? '' : `${limits[step] / 60} min`,
  ]);
  const others = Object.entries(IDLE_STEPS).map(([step, meaning]) => [`\`${step}\``, meaning, '']);
  return markdownTable(['Step', 'What it does', 'Stuck after'], [...steps, ...others]);
}

/** Markdown, ending with a line end. */
export function waitTable(): string {
  return markdownTable(
    ['Code', 'Kind', 'Sentence'],
    Object.entries<DeclaredWait>(WAITS).map(([code, { kind, sentence }]) => [`\`${code}\``, kind, sentence]),
  );
}
