/**
 * Reads a node's answer that lists accounts while it arrives: the list's entries one after the other, then what stands around
 * the list. An answer may be longer than a string can be, and parsing it in one go would hold up everything else.
 */
import { ChainAnswerInvalid } from '../../kernel/ports/chain.ts';

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
/** Bytes of one entry, and of everything around the list: a node that sends more is not sending accounts. */
const MOST_BYTES = 65_536;

/** Fed with an answer's bytes in pieces; it does not check that they are JSON. */
export class ListedAccounts {
  #isInList = false;
  #wasInList = false;
  /** Number of open lists and objects in the value that is being read. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Unread bytes: part of an entry or of the text around the list. */
  #rest: Uint8Array = Buffer.alloc(0);
  /** One character for each byte: a piece may end within a character. */
  #around = '';
  readonly #open: string[] = [];

  /** The entries that are complete now. @throws ChainAnswerInvalid */
  entriesIn(piece: Uint8Array): string[] {
    const bytes = Buffer.concat([this.#rest, piece]);
    const entries: string[] = [];
    let begin = 0;
    let at = this.#rest.length;
    while (at < bytes.length) {
      const byte = bytes[at];
      if (this.#isInString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      at += 1;
      if (byte === QUOTE) {
        this.#isInString = true;
      } else if (!this.#isInList) {
        if (byte === OPEN_OBJECT) this.#open.unshift('}');
        else if (byte === CLOSE_OBJECT) this.#open.shift();
        else if (byte === OPEN_LIST) {
          this.#open.unshift(']');
          this.#isInList = !this.#wasInList;
          if (this.#isInList) {
            this.#keepAround(bytes, begin, at);
            begin = at;
          }
        } else if (byte === CLOSE_LIST) this.#open.shift();
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#depth += 1;
      } else if (this.#depth > 0) {
        if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
      } else if (byte === COMMA || byte === CLOSE_LIST) {
        const entry = bytes.toString('utf8', begin, at - 1).trim();
        if (entry !== '') entries.push(entry);
        begin = at;
        if (byte === COMMA) continue;
        // The bracket belongs to what stands around the list.
        begin = at - 1;
        this.#open.shift();
        this.#isInList = false;
        this.#wasInList = true;
      }
    }
    if (!this.#isInList) {
      this.#keepAround(bytes, begin, bytes.length);
      begin = bytes.length;
    }
    this.#rest = bytes.subarray(begin);
    if (this.#rest.length > MOST_BYTES) throw tooLong();
    return entries;
  }

  /** The answer without the entries; completed, as long as the end has not arrived. @throws SyntaxError */
  around(): unknown {
    return JSON.parse(`${Buffer.from(this.#around, 'latin1')}${this.#open.join('')}`);
  }

  /** True after the list has begun. */
  get hasBegun(): boolean {
    return this.#isInList || this.#wasInList;
  }

  /** True if all that was opened has been closed. */
  get isComplete(): boolean {
    return this.#around !== '' && this.#open.length === 0 && !this.#isInString;
  }

  /** The place behind the string, or the end of the bytes. */
  #skipString(bytes: Buffer, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from + 1;
    }
    const end = bytes.indexOf(QUOTE ?? 0, from);
    const until = end === -1 ? bytes.length : end;
    const escapeAt = bytes.subarray(from, until).indexOf(BACKSLASH ?? 0);
    if (escapeAt !== -1) {
      this.#isEscaped = true;
      return from + escapeAt + 1;
    }
    this.#isInString = end === -1;
    return end === -1 ? bytes.length : end + 1;
  }

  #keepAround(bytes: Buffer, begin: number, end: number): void {
    this.#around += bytes.toString('latin1', begin, end);
    if (this.#around.length > MOST_BYTES) throw tooLong();
  }
}

function tooLong(): ChainAnswerInvalid {
  return new ChainAnswerInvalid(
    `the chain node gave an account, or its answer, of more than ${MOST_BYTES} bytes`,
  );
}
