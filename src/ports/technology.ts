/**
 * What a technology says of itself: which ports it offers, at addresses of which schemes, and how it is opened there.
 * The file that says it loads no library: only what is opened is loaded.
 */
import type { Chain } from './chain.ts';
import type { EventStore } from './event-store.ts';
import type { ImageStore } from './image-store.ts';
import type { Publisher } from './publisher.ts';
import type { ReadModel } from './read-model.ts';
import type { InlineProjections, SynchronousReadModel } from './shared-transaction.ts';
import type { Tracing } from './tracing.ts';

export interface Technology {
  readonly 'event-store'?: EventStoreAdapter;
  readonly 'read-model'?: Adapter<ReadModelSettings, Opened<ReadModel>>;
  readonly 'image-store'?: Adapter<ImageStoreSettings, ImageStore>;
  readonly publisher?: Adapter<PublisherSettings, Publisher>;
  readonly chain?: Adapter<ChainSettings, Chain>;
  readonly tracing?: Adapter<TracingSettings, Tracing>;
}

/** The ports whose adapter is chosen by the scheme of an address, named as their files. */
export type PortName = keyof Technology;

export type AdapterOf<Port extends PortName> = NonNullable<Technology[Port]>;

export interface Adapter<Settings, Result> {
  /** In lower case, without the colon. */
  readonly schemes: readonly string[];
  /** Rejects with `OperatorError` where the operator has to correct something. */
  readonly open: (settings: Settings) => Promise<Result>;
}

export interface EventStoreAdapter extends Adapter<EventStoreSettings, Opened<EventStore>> {
  /** Several processes can work on one log. */
  readonly isShared: boolean;
  /**
   * Opens the log and the read models in one place, so that an append and what is projected of it are one transaction.
   * Called where both have the same address. Absent: each is opened by itself.
   */
  readonly openWithReadModel?: (
    settings: EventStoreSettings & ReadModelSettings,
    inline: InlineProjections,
  ) => Promise<OpenedTogether>;
}

export interface Opened<Port> {
  readonly port: Port;
  /** False while it does not do all its work. Whether it answers at all, its calls tell. */
  readonly healthy: () => boolean;
  /** Closes the port, then lets go of everything that it stood on. */
  readonly close: () => Promise<void>;
}

export interface OpenedTogether {
  readonly store: EventStore;
  readonly readModel: ReadModel & SynchronousReadModel;
  readonly healthy: () => boolean;
  readonly close: () => Promise<void>;
}

interface Located {
  /** Begins with one of the adapter's schemes. A path in it is absolute. May hold a password: not to be logged. */
  readonly url: string;
}

/** Tells the operator what has happened; the details hold no secrets. */
type Report = (message: string, details: object) => void;

export interface EventStoreSettings extends Located {
  /** Keeps several logs in one database apart. */
  readonly prefix: string;
  /** Where it is not in the address. */
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** File with the certificates of the authorities, where it is not in the address. */
  readonly caFile?: string | undefined;
  readonly report: Report;
}

export type ReadModelSettings = Located;

export type ImageStoreSettings = Located;

export interface PublisherSettings extends Located {
  /** The name of what holds the messages on the bus. */
  readonly stream: string;
  /** Blank, or ending with a dot. */
  readonly subjectPrefix: string;
  /** What the names of messages begin with, before their dot: `tokens` of `tokens.created`. */
  readonly groups: readonly string[];
  readonly replicas: number;
  readonly credentialsFile?: string | undefined;
  readonly caFile?: string | undefined;
}

export type ChainSettings = Located;

export interface TracingSettings extends Located {
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Milliseconds that closing may take. */
  readonly closeTimeout: number;
  readonly report: Report;
}
