/**
 * Reads the configuration from the environment, or reports all its errors. No other module reads the environment.
 * envalid 8.2 has no defaults that refer to other variables, and its messages quote the given values, including
 * secrets.
 */

import damerauLevenshtein from 'damerau-levenshtein';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { conflictsIn } from './conflicts.ts';
import { type Constants, constants } from './constants.ts';
import { NotAllowed } from './value-kinds.ts';
import type { Variable } from './variables.ts';
import { type Values, variables } from './variables.ts';

export interface Configuration extends Values, Constants {
  /** True if the event store and the chain are both embedded: only then may a first start generate secrets. */
  readonly embedded: boolean;
}

export interface ConfigurationProblem {
  readonly variable: string;
  /** Given text without secrets; undefined if the variable is not set. */
  readonly given: string | undefined;
  /** Cause of the error; undefined if `allowed` explains it. */
  readonly reason: string | undefined;
  readonly allowed: string;
}

export class ConfigurationError extends OperatorError {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map((problem) => `- ${problemText(problem)}`);
    super(`invalid configuration:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

export function problemText({ variable, given, reason, allowed }: ConfigurationProblem): string {
  const what = given === undefined ? `${variable} is not set` : `${variable} is ${given}`;
  return `${what}${reason === undefined ? '' : `: ${reason}`}. Allowed: ${allowed}.`;
}

/**
 * Parses all variables. A blank variable counts as not set; surrounding blanks and unknown variables are ignored.
 * Relative paths resolve against the working directory. Throws `ConfigurationError` with all problems. `others` are for
 * tests.
 */
export function readConfiguration(env: NodeJS.ProcessEnv, others: Partial<Constants> = {}): Configuration {
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  const problems: ConfigurationProblem[] = [];

  for (const [key, variable] of Object.entries<Variable>(variables)) {
    const given = env[variable.name]?.trim() ?? '';
    if (given === '' && 'value' in variable.default) {
      values.set(key, variable.default.value);
      continue;
    }
    const text = given === '' ? textOfDefault(variable, texts) : given;
    // If a default refers to a wrong value, only that value is reported.
    if (text === undefined) continue;
    try {
      values.set(key, variable.kind.parse(text));
      texts.set(variable.name, text);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      problems.push(problemOf(variable, text, error.message));
    }
  }

  const known = Object.fromEntries(values) as Partial<Values>;
  for (const { variable, reason } of conflictsIn(known))
    problems.push(problemOf(variable, texts.get(variable.name), reason));
  if (problems.length > 0) throw new ConfigurationError(problems);
  // Complete, because there are no problems.
  const found = known as Values;
  return {
    ...constants,
    ...others,
    ...found,
    embedded: found.eventStore.isEmbedded && found.chain.isEmbedded,
  };
}

/** Environment variables whose names are similar to one of the service's. */
export function likelyMisspelt(
  env: NodeJS.ProcessEnv,
): readonly { readonly given: string; readonly meant: string }[] {
  const names = Object.values<Variable>(variables).map(({ name }) => name);
  const unset = names.filter((name) => env[name] === undefined);
  return Object.keys(env).flatMap((given) => {
    if (names.includes(given) || !/^[A-Z][A-Z0-9_]*$/.test(given)) return [];
    const meant = unset.find(
      (name) =>
        // Comparing the lengths first excludes most pairs.
        Math.abs(given.length - name.length) <= tolerated(name) &&
        damerauLevenshtein(given, name).steps <= tolerated(name),
    );
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** Short names resemble many other names: HOST to HOME, PORT to PATH. */
function tolerated(name: string): number {
  return name.length < 8 ? 1 : 2;
}

function problemOf(variable: Variable, text: string | undefined, reason: string): ConfigurationProblem {
  return {
    variable: variable.name,
    given: text === undefined ? undefined : shown(variable, text),
    reason: reason === '' ? undefined : reason,
    allowed: variable.kind.allowed,
  };
}

const MAX_QUOTED = 80;
const PRINTABLE_SCHEME =
  /^(https?|wss?|sqlite|file|(esdb|kurrentdb)(\+discover)?|mongodb(\+srv)?|nats|local):/i;

/** Text without secrets: only the scheme of a confidential value, and other values without user and password. */
function shown(variable: Variable, text: string): string {
  if (variable.kind.confidential) return `${PRINTABLE_SCHEME.exec(text)?.[0] ?? ''}… (not shown)`;
  const bare = text.replace(/\/\/.*@/gs, '//…@');
  return JSON.stringify(bare.length > MAX_QUOTED ? `${bare.slice(0, MAX_QUOTED)}…` : bare);
}

function textOfDefault(variable: Variable, texts: ReadonlyMap<string, string>): string | undefined {
  if ('text' in variable.default) return withTexts(variable.default.text, texts);
  return 'textFrom' in variable.default ? withTexts(variable.default.textFrom(texts), texts) : undefined;
}

/** Default with every `<NAME>` replaced; undefined if one of these variables is wrong. */
function withTexts(template: string, texts: ReadonlyMap<string, string>): string | undefined {
  const names = [...template.matchAll(/<([A-Z_]+)>/g)].map(([, name = '']) => name);
  if (names.some((name) => !texts.has(name))) return undefined;
  return template.replace(/<([A-Z_]+)>/g, (_all, name: string) => texts.get(name) ?? '');
}
