/**
 * Self-description of a technology: its ports, the address schemes of each, and functions to open them. The describing file
 * must load no library, so that only opened technologies are loaded.
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

/** Ports whose adapter is chosen by the scheme of an address; named like their files. */
export type PortName = keyof Technology;

export type AdapterOf<Port extends PortName> = NonNullable<Technology[Port]>;

/** Scheme of an address in lower case, without the colon; empty for an address without one. */
export function schemeOf(address: string): string {
  return address.slice(0, Math.max(0, address.indexOf(':'))).toLowerCase();
}

/** Part after the scheme; the path, if the address refers to a file or folder. */
export function pathIn(address: string): string {
  return address.slice(address.indexOf(':') + 1);
}

/** Splits a comma-separated list of node addresses, which may themselves contain commas. */
export function nodeAddressesIn(list: string): readonly string[] {
  return list.split(/\s*,\s*(?=https?:\/\/)/i);
}

interface Adapter<Settings, Result> {
  /** Lower case, without the colon. */
  readonly schemes: readonly string[];
  /** Rejects with `OperatorError` if the operator must correct something. */
  readonly open: (settings: Settings) => Promise<Result>;
}

interface EventStoreAdapter extends Adapter<EventStoreSettings, Opened<EventStore>> {
  /** True if several processes can use one log. */
  readonly isShared: boolean;
  /**
   * Opens a log that no service uses, without changes. Rejects with `OperatorError` while a service uses it. If absent,
   * `open` may be used for reading while the service runs.
   */
  readonly openForReading?: (settings: EventStoreSettings) => Promise<LogReader>;
  /** Opens a log on a server to append the events of a backup. Absent if the backup's file itself is the log. */
  readonly openForRestore?: (settings: EventStoreSettings) => Promise<RestoredLog>;
}

interface RestoredLog {
  readonly store: EventStore;
  /** Prevents services from opening the log until `finish`, even if this process is killed. */
  readonly begin: () => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Opened<Port> {
  readonly port: Port;
  /** Known fault of the port; undefined without one. A port that does not respond at all is detected by calls. */
  readonly trouble: () => StoreTrouble | undefined;
  /** Closes the port, then releases all its resources. */
  readonly close: () => Promise<void>;
}

interface ReadModelAdapter extends Adapter<ReadModelSettings, OpenedReadModel> {
  /**
   * Opens read models that no service uses, without changes: `prepare` creates nothing, and other writes reject. Rejects
   * with `OperatorError` while a service uses them, or if none exist. If absent, `open` changes nothing before a term
   * begins.
   */
  readonly openForReading?: (settings: ReadModelSettings) => Promise<OpenedReadModel>;
}

export interface OpenedReadModel extends Opened<ReadModel> {
  /** Equals `port`; present if other processes read and write the same documents. */
  readonly shared?: SharedReadModel;
}

/** Store of files; closing it releases all its resources. */
export interface OpenedBlobs {
  readonly store: BlobStore;
  /** Location of the files, for operators only. */
  readonly place: string;
  /** Fault that prevents storing files, derived from the error of a call; undefined for other errors. */
  readonly troubleOf: (error: unknown) => Pick<StoreTrouble, 'kind' | 'reason' | 'whatToDo'> | undefined;
  /** Stores and removes a test file. Rejects with the errors of a call. */
  readonly probe: () => Promise<void>;
  /** Fault known without a call. */
  readonly trouble?: () => StoreTrouble | undefined;
}

interface Located {
  /** Begins with one of the adapter's schemes. A path in it is absolute. May contain a password, so must not be logged. */
  readonly url: string;
}

/** Access to a server, as far as the address does not contain it. */
interface ServerAccess {
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** File with the certificates of the authorities. */
  readonly caFile?: string | undefined;
}

export interface EventStoreSettings extends Located, ServerAccess {
  /** Separates several logs in one database. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** Access to a server whose client is metered. */
interface MeteredAccess extends ServerAccess {
  readonly meter?: ClientMeter | undefined;
  /** If present, an unresponsive server is awaited and logged here; if absent, startup fails. */
  readonly waiting?: Logger | undefined;
}

export interface ReadModelSettings extends Located, MeteredAccess {
  readonly logger: Logger;
}

export interface BlobStoreSettings extends Located, MeteredAccess {
  /** Separates the two kinds of blobs in one database, and appears in errors. */
  readonly content: ContentDamaged['what'];
}

interface PublisherSettings extends Located {
  readonly stream: string;
  /** Empty, or ends with a dot. */
  readonly subjectPrefix: string;
  /** First parts of message names, before the dot: `tokens` in `tokens.created`. */
  readonly groups: readonly string[];
  readonly replicas: number;
  readonly credentialsFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** The address may list several nodes of one chain, separated by commas. */
interface ChainSettings extends Located {
  readonly meter?: ChainNodeMeter | undefined;
}

interface TracingSettings extends Located {
  readonly serviceVersion: string;
  /** Maximum milliseconds of closing. */
  readonly closeTimeout: number;
  readonly logger: Logger;
}
