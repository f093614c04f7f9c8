/** Receives what the client of a database server does. Adapters call it; the metrics implement it. */

export interface ClientMeter {
  /** A command is over. `seconds` include the network, but not the wait for a connection. */
  readonly commanded: (command: string, outcome: CommandOutcome, seconds: number) => void;
  /** A command that did not get a connection, and was not sent. */
  readonly withoutConnection: (reason: string) => void;
  /** Counts a client's connections from now on, until the returned function is called. The same one counts once. */
  readonly watch: (connections: () => ClientConnections) => () => void;
}

/** The server answered, refused, or did not answer in time. */
export type CommandOutcome = 'answered' | 'refused' | 'unanswered';

export interface ClientConnections {
  readonly open: number;
  /** The open ones that carry a command. */
  readonly inUse: number;
  /** Commands that wait for a connection. */
  readonly waiting: number;
}
