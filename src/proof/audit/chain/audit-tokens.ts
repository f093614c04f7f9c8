/** Compares the tokens of the log with their mints on the chain, 100 tokens per call. */
import type { ChainAccount } from '../../../kernel/ports/chain.ts';
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type EventCodec, EventUndecodable, type Recorded } from '../../../kernel/runtime/event-codec.ts';
import { type TokenEvent, type TokenState, token } from '../../../streams/token.ts';
import { recordedAt } from '../finding.ts';
import type { CheckNotes } from '../report.ts';
import { type AuditedToken, auditMint } from './audit-mints.ts';
import { type AuditNode, isUnavailable } from './audit-node.ts';

const TOGETHER = 100;

export async function auditTokens(
  audited: {
    readonly log: LogReader;
    readonly codec: EventCodec;
    readonly node: AuditNode;
    /** Exclusive position: only tokens with later events are checked. */
    readonly after: Position;
    readonly until: Position;
  },
  notes: CheckNotes,
  skipped: (sentence: string) => void,
  auditFurther: (tokens: readonly AuditedToken[]) => Promise<void>,
): Promise<void> {
  const { log, codec, node, after, until } = audited;
  const epoch = await node.epoch();
  let waiting: AuditedToken[] = [];
  let notFinal = 0;

  async function lookUp(): Promise<void> {
    const tokens = waiting;
    waiting = [];
    try {
      const mints = await mintsOf(tokens);
      const missing = tokens.filter((each) => mints.get(each) === undefined);
      const young = await notFinalYet(missing);
      notFinal += young.size;
      // Missing mints may have become final between the two calls, so read them again.
      const late = await mintsOf(missing.filter((each) => !young.has(each)));
      for (const each of tokens)
        if (!young.has(each)) auditMint(each, mints.get(each) ?? late.get(each), epoch, notes);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      for (const { created } of tokens)
        notes.unchecked('a token has the recorded mint', error.message, recordedAt(created));
    }
    await auditFurther(tokens);
  }

  async function mintsOf(
    tokens: readonly AuditedToken[],
  ): Promise<ReadonlyMap<AuditedToken, ChainAccount | undefined>> {
    const addresses = tokens.map(({ state }) => state.created.token.mintAddress);
    const accounts = await node.accounts(addresses, 'finalized');
    return new Map(tokens.map((each, index) => [each, accounts[index]]));
  }

  /** Tokens are recorded once their creation is confirmed; a fork may still revert it. */
  async function notFinalYet(tokens: readonly AuditedToken[]): Promise<ReadonlySet<AuditedToken>> {
    if (tokens.length === 0) return new Set();
    const statuses = await node.statuses(tokens.map(({ state }) => state.created.signature));
    return new Set(
      tokens.filter((_token, index) => {
        const status = statuses[index];
        return status !== undefined && status.commitment !== 'finalized';
      }),
    );
  }

  for await (const stream of streamsOf(log, token.category, after, until)) {
    const found = await readToken(log, codec, stream, until);
    if (found === undefined) continue;
    notes.checked();
    waiting.push(found);
    if (waiting.length === TOGETHER) await lookUp();
  }
  await lookUp();
  if (notFinal > 0) skipped(`${notFinal} tokens whose creation is not final yet.`);
}

/** The streams of a category with events between two positions, each once. */
export async function* streamsOf(
  log: LogReader,
  category: string,
  after: Position,
  until: Position,
): AsyncGenerator<string> {
  const isWhole = after === '';
  const seen = new Set<string>();
  for await (const { stream, revision, position } of log.events({ categories: [category], after })) {
    if (position > until) return;
    // In the whole log, revision 0 identifies a new stream. A part of the log may lack it, so visited streams are recorded.
    if (isWhole ? revision !== 0 : seen.has(stream)) continue;
    if (!isWhole) seen.add(stream);
    yield stream;
  }
}

/** Undefined if a fork reverted the token's creation, or if its events cannot be decoded. */
async function readToken(
  log: LogReader,
  codec: EventCodec,
  stream: string,
  until: Position,
): Promise<AuditedToken | undefined> {
  let state: TokenState = token.initial;
  let created: Recorded<TokenEvent> | undefined;
  let taxed: Recorded<TokenEvent> | undefined;
  for await (const stored of log.stream(stream)) {
    if (stored.position > until) break;
    try {
      // The codec has validated the event against the schemas of this stream.
      const event = codec.decode(stored) as Recorded<TokenEvent>;
      state = token.evolve(state, event);
      if (event.type === 'TokenCreated') created = event;
      if (event.type === 'TokenCreated' || event.type === 'TransferFeeChanged') taxed = event;
    } catch (error) {
      // Already reported when the log was read.
      if (!(error instanceof EventUndecodable)) throw error;
    }
  }
  if (state === undefined || !state.exists || created === undefined || taxed === undefined) return undefined;
  return { state, created, taxed };
}
