/** The format of stored data: the log, and files of read models. A build reads its own alone. */
import { OperatorError } from './operator-error.ts';

/** Raised whenever stored data of the builds before can no longer be read. */
export const FORMAT = 2;

/** Data that a build with another format has written. Nothing is changed. */
export class OtherFormat extends OperatorError {
  override readonly name = 'OtherFormat';
  /** `found`: the format that is recorded; undefined where none is. */
  constructor(where: string, found: unknown) {
    const written = found === undefined ? 'without a format' : `in format ${JSON.stringify(found)}`;
    super(
      `${where} was written ${written}, and this build reads format ${FORMAT} alone: use the build that wrote it, or begin with an empty DATA_DIR`,
    );
  }
}
