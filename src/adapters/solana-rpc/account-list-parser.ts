/**
 * Streaming parser for a node's response with a list of accounts: returns the list's entries one by one, then the text
 * around the list. A response may exceed the maximum length of a string, and parsing it at once would block the event loop.
 */
import { ChainAnswerInvalid } from '../../kernel/ports/chain.ts';

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
/** Maximum bytes of an entry, and of the text around the list. */
const MAX_BYTES = 65_536;

/** Accepts a response's bytes in pieces; does not check that they are JSON. */
export class ListedAccounts {
  #isInList = false;
  #wasInList = false;
  /** Number of open lists and objects in the current value. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Unparsed bytes of an entry, or of the text around the list. */
  #rest: Uint8Array = Buffer.alloc(0);
  /** Text around the list as Latin-1, one character per byte, because a piece may end within a character. */
  #around = '';
  readonly #open: string[] = [];

  /** Returns the entries completed by this piece. @throws ChainAnswerInvalid */
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
        // The bracket belongs to the text around the list.
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
    if (this.#rest.length > MAX_BYTES) throw tooLong();
    return entries;
  }

  /** Response without the entries; missing brackets are added before its end. @throws SyntaxError */
  around(): unknown {
    return JSON.parse(`${Buffer.from(this.#around, 'latin1')}${this.#open.join('')}`);
  }

  /** True after the start of the list. */
  get hasBegun(): boolean {
    return this.#isInList || this.#wasInList;
  }

  /** True if all lists, objects and strings are closed. */
  get isComplete(): boolean {
    return this.#around !== '' && this.#open.length === 0 && !this.#isInString;
  }

  /** Index after the string, or the end of the bytes. */
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
    if (this.#around.length > MAX_BYTES) throw tooLong();
  }
}

function tooLong(): ChainAnswerInvalid {
  return new ChainAnswerInvalid(
    `the chain node sent an account, or the rest of a response, of more than ${MAX_BYTES} bytes`,
  );
}
