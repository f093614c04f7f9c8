/** Meter of a database client's activity. Adapters call it; the metrics implement it. */

export interface ClientMeter {
  /** Called after each command. `seconds` includes the network, but not the wait for a connection. */
  readonly commanded: (command: string, outcome: CommandOutcome, seconds: number) => void;
  /** Called for a command that was not sent because it got no connection. */
  readonly withoutConnection: (reason: string) => void;
  /** Counts a client's connections until the returned function is called. The same client counts once. */
  readonly watch: (connections: () => ClientConnections) => () => void;
}

/** The server responded, rejected the command, or did not respond in time. */
export type CommandOutcome = 'answered' | 'refused' | 'unanswered';

export interface ClientConnections {
  readonly open: number;
  /** Open connections that carry a command. */
  readonly inUse: number;
  readonly waiting: number;
}
