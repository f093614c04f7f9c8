/** What a variable of the environment is, and how the lists of them are written. */
import type { ValueKind } from './value-kinds.ts';

export interface Variable<Value = unknown> {
  readonly name: string;
  readonly kind: ValueKind<Value>;
  readonly default: Default<Value>;
  readonly meaning: string;
  /** When an operator changes it. Only the variables that every operator reads first have none. */
  readonly changedWhen?: string;
}

export type Default<Value> =
  /** Parsed as if it had been set. `<NAME>` stands for the value or default of an earlier variable. */
  | { readonly text: string }
  /** Like `text`, but computed from other variables. */
  | { readonly textFrom: (texts: ReadonlyMap<string, string>) => string; readonly shown: string }
  /** A value that no text stands for. */
  | { readonly value: Value; readonly shown: string };

export function variable<Value>(
  name: string,
  kind: ValueKind<Value>,
  defaultText: string,
  meaning: string,
): Variable<Value> {
  return { name, kind, default: { text: defaultText }, meaning };
}

export function variableOrElse<Value, Else>(
  name: string,
  kind: ValueKind<Value>,
  otherwise: { readonly value: Else; readonly shown: string },
  meaning: string,
): Variable<Value | Else> {
  return { name, kind, default: otherwise, meaning };
}

/** A variable that hardly anybody sets. `changedWhen` is a whole sentence. */
export function advanced<Value>(changedWhen: string, of: Variable<Value>): Variable<Value> {
  return { ...of, changedWhen };
}
