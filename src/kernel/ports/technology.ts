/**
 * How a technology describes itself: the ports that it offers, the address schemes of each, and how to open it. The
 * file with the description loads no library: only what is opened is loaded.
 */
import type { BlobStore } from './blob-store.ts';
import type { Chain } from './chain.ts';
import type { ChainNodeMeter } from './chain-node-meter.ts';
import type { ClientMeter } from './client-meter.ts';
import type { ContentDamaged, StoreTrouble } from './errors.ts';
import type { EventStore } from './event-store.ts';
import type { LogReader } from './log-reader.ts';
import type { CopiedPositions, WritableLog } from './log-writer.ts';
import type { Logger } from './logger.ts';
import type { Publisher } from './publisher.ts';
import type { ReadModel } from './read-model.ts';
import type { SharedReadModel } from './shared-read-model.ts';
import type { Tracing } from './tracing.ts';

export interface Technology {
  readonly 'event-store'?: EventStoreAdapter;
  readonly 'read-model'?: ReadModelAdapter;
  readonly 'blob-store'?: Adapter<BlobStoreSettings, OpenedBlobs>;
  readonly publisher?: Adapter<PublisherSettings, Publisher>;
  readonly chain?: Adapter<ChainSettings, Chain>;
  readonly tracing?: Adapter<TracingSettings, Tracing>;
}

/** The ports whose adapter is chosen by an address's scheme, named like their files. */
export type PortName = keyof Technology;

export type AdapterOf<Port extends PortName> = NonNullable<Technology[Port]>;

/** The scheme of an address in lower case, without the colon; empty where there is none. */
export function schemeOf(address: string): string {
  return address.slice(0, Math.max(0, address.indexOf(':'))).toLowerCase();
}

/** What follows the scheme: the path, where the address names a file or a folder. */
export function pathIn(address: string): string {
  return address.slice(address.indexOf(':') + 1);
}

/** The addresses of nodes that a list separates by commas, which an address may contain too. */
export function nodeAddressesIn(list: string): readonly string[] {
  return list.split(/\s*,\s*(?=https?:\/\/)/i);
}

export interface Adapter<Settings, Result> {
  /** In lower case, without the colon. */
  readonly schemes: readonly string[];
  /** Rejects with `OperatorError` when the operator has to correct something. */
  readonly open: (settings: Settings) => Promise<Result>;
}

export interface EventStoreAdapter extends Adapter<EventStoreSettings, Opened<EventStore>> {
  /** Whether several processes can work on one log. */
  readonly isShared: boolean;
  /**
   * Opens a log that no service uses, and changes nothing. Rejects with `OperatorError` while one does. If absent, any
   * number of readers may open the log beside its service.
   */
  readonly openForReading?: (settings: EventStoreSettings) => Promise<LogReader>;
  /** Opens a log into which this process alone writes the events of another one, as they were recorded. */
  readonly openForCopying?: (
    settings: EventStoreSettings,
    positions: CopiedPositions,
  ) => Promise<WritableLog>;
  /** In the place of `openForCopying`: opens a log to which the events of another one are appended. */
  readonly openForAppendedCopy?: (settings: EventStoreSettings) => Promise<AppendedCopy>;
}

export interface AppendedCopy {
  readonly store: EventStore;
  /** Until `finish`, a service cannot open the log, also after a kill. */
  readonly begin: () => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Opened<Port> {
  readonly port: Port;
  /** False while it cannot do all its work. Whether it answers at all shows in its calls. */
  readonly healthy: () => boolean;
  /** What keeps it from working, where it knows; undefined while nothing does. */
  readonly trouble?: () => StoreTrouble | undefined;
  /** Closes the port, then releases everything that it used. */
  readonly close: () => Promise<void>;
}

export interface ReadModelAdapter extends Adapter<ReadModelSettings, OpenedReadModel> {
  /**
   * Opens read models that no service uses, and changes nothing: `prepare` creates nothing, and other writes reject.
   * Rejects with `OperatorError` while a service uses them, or where there are none. If absent, `open` changes nothing
   * before a term begins.
   */
  readonly openForReading?: (settings: ReadModelSettings) => Promise<OpenedReadModel>;
}

export interface OpenedReadModel extends Opened<ReadModel> {
  /** The same port, where other processes read and write the same documents. */
  readonly shared?: SharedReadModel;
}

/** A store of files; closing it releases everything that it used. */
export interface OpenedBlobs {
  readonly store: BlobStore;
  /** Where the files are, for the operator alone. */
  readonly place: string;
  /** What keeps files from being stored, when a call failed so; undefined if the error does not say. */
  readonly troubleOf: (error: unknown) => Pick<StoreTrouble, 'kind' | 'reason' | 'whatToDo'> | undefined;
  /** Stores something and removes it. Rejects with what a call would reject with. */
  readonly probe: () => Promise<void>;
  /** What keeps it from working, where it knows without a call. */
  readonly trouble?: () => StoreTrouble | undefined;
}

interface Located {
  /** Starts with one of the adapter's schemes. A path in it is absolute. May hold a password: do not log it. */
  readonly url: string;
}

/** What a server requires of a connection and the address does not contain. */
interface ServerAccess {
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** File with the certificates of the authorities. */
  readonly caFile?: string | undefined;
}

export interface EventStoreSettings extends Located, ServerAccess {
  /** Keeps several logs in one database apart. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** A server whose client reports what it does. */
interface MeteredAccess extends ServerAccess {
  readonly meter?: ClientMeter | undefined;
  /** If given, waits for a server that does not answer yet and logs it here; if absent, the start is refused. */
  readonly waiting?: Logger | undefined;
}

export interface ReadModelSettings extends Located, MeteredAccess {
  readonly logger: Logger;
}

export interface BlobStoreSettings extends Located, MeteredAccess {
  /** Keeps the blobs of both kinds apart in one database, and names them in errors. */
  readonly content: ContentDamaged['what'];
}

export interface PublisherSettings extends Located {
  /** The name of the bus' stream that holds the messages. */
  readonly stream: string;
  /** Empty, or ends with a dot. */
  readonly subjectPrefix: string;
  /** The first parts of message names, before their dot: `tokens` in `tokens.created`. */
  readonly groups: readonly string[];
  readonly replicas: number;
  readonly credentialsFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** The address may be those of several nodes of one chain, separated by commas. */
export interface ChainSettings extends Located {
  readonly meter?: ChainNodeMeter | undefined;
}

export interface TracingSettings extends Located {
  readonly serviceVersion: string;
  /** Maximum milliseconds for closing. */
  readonly closeTimeout: number;
  readonly logger: Logger;
}
