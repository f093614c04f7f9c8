/** The services that image commands and queries use. */
import type { ImageStore } from '../../kernel/ports/image-store.ts';

export interface ImageServices {
  readonly images: ImageStore;
  /** The service's public address, without a trailing slash. */
  readonly publicUrl: () => string;
}
