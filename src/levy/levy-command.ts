/** Commander command of `levy` whose help ends with examples, and its argument parser. */
import { Command, InvalidArgumentError } from 'commander';
import { NotAllowed, type ValueKind } from '../operations/config/value-kinds.ts';

export class LevyCommand extends Command {
  /** Adds examples to the end of the help: commands, each with a line of explanation. */
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
      throw new InvalidArgumentError(`Allowed: ${allowed}. ${error.message}`);
    }
  };
}
