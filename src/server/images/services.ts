/** The services that image commands and queries use. */
import type { Images } from './images.ts';

export interface ImageServices {
  readonly images: Images;
  /** The service's public address, without a trailing slash. */
  readonly publicUrl: () => string;
}
