/** What commands and queries about images use. */
import type { ImageStore } from '../ports/image-store.ts';

export interface ImageServices {
  readonly images: ImageStore;
  /** Where the service is reached, without a slash at the end. */
  readonly publicUrl: () => string;
}
