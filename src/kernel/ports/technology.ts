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

/** The part after the scheme: the path, if the address names a file or a folder. */
export function pathIn(address: string): string {
  return address.slice(address.indexOf(':') + 1);
}

/** The addresses of nodes that a list separates by commas, which an address may contain too. */
export function nodeAddressesIn(list: string): readonly string[] {
  return list.split(/\s*,\s*(?=https?:\/\/)/i);
}

interface Adapter<Settings, Result> {
  /** In lower case, without the colon. */
  readonly schemes: readonly string[];
  /** Rejects with `OperatorError` when the operator has to correct something. */
  readonly open: (settings: Settings) => Promise<Result>;
}

interface EventStoreAdapter extends Adapter<EventStoreSettings, Opened<EventStore>> {
  /** True if several processes can work on one log. */
  readonly isShared: boolean;
  /**
   * Opens a log that no service uses, and changes nothing. Rejects with `OperatorError` while one does. If absent, any
   * number of readers may open the log beside its service.
   */
  readonly openForReading?: (settings: EventStoreSettings) => Promise<LogReader>;
  /** Opens a log on a server to which the events of a backup are appended. Absent where a backup's file is the log. */
  readonly openForRestore?: (settings: EventStoreSettings) => Promise<RestoredLog>;
}

interface RestoredLog {
  readonly store: EventStore;
  /** Until `finish`, a service cannot open the log, also after a kill. */
  readonly begin: () => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Opened<Port> {
  readonly port: Port;
  /** The known fault that keeps it from doing all its work; undefined without one. Whether it answers at all shows in its calls. */
  readonly trouble: () => StoreTrouble | undefined;
  /** Closes the port, then releases everything that it used. */
  readonly close: () => Promise<void>;
}

interface ReadModelAdapter extends Adapter<ReadModelSettings, OpenedReadModel> {
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
  /** The location of the files, for the operator alone. */
  readonly place: string;
  /** The fault that keeps files from being stored, by the error of a call; undefined if the error does not name one. */
  readonly troubleOf: (error: unknown) => Pick<StoreTrouble, 'kind' | 'reason' | 'whatToDo'> | undefined;
  /** Stores something and removes it. Rejects with what a call would reject with. */
  readonly probe: () => Promise<void>;
  /** The fault that it knows without a call. */
  readonly trouble?: () => StoreTrouble | undefined;
}

interface Located {
  /** Starts with one of the adapter's schemes. A path in it is absolute. May hold a password: do not log it. */
  readonly url: string;
}

/** Requirements of a server that the address does not contain. */
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

interface PublisherSettings extends Located {
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
interface ChainSettings extends Located {
  readonly meter?: ChainNodeMeter | undefined;
}

interface TracingSettings extends Located {
  readonly serviceVersion: string;
  /** Maximum milliseconds for closing. */
  readonly closeTimeout: number;
  readonly logger: Logger;
}
