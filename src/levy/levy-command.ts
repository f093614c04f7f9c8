/** A command of `levy`, whose help teaches by examples, and its arguments, which are values of the configuration's kinds. */
import { Command, InvalidArgumentError } from 'commander';
import { NotAllowed, type ValueKind } from '../operations/config/value-kinds.ts';

export class LevyCommand extends Command {
  /** Printed at the end of the help: commands, each with a line that says what it does. */
  examples(text: string): this {
    return this.addHelpText('after', `\nExamples:${text.trimEnd()}`);
  }
}

export function argumentOf<Value>({ allowed, parse }: ValueKind<Value>): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      throw new InvalidArgumentError(`Allowed is ${allowed}. ${error.message}`);
    }
  };
}
