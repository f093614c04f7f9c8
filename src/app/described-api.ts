/** The API's descriptions, as this process serves them. */
import { configuredLimits } from '../commands/configured-limits.ts';
import { commands } from '../commands/index.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { queries } from '../queries/index.ts';
import { createAsyncApiText } from '../reference/asyncapi/document.ts';
import { createOpenApiText } from '../reference/openapi/document.ts';
import { VERSION } from './version.ts';

export function describedApi(configuration: Configuration, publicUrl: () => string) {
  const documented = { operators: configuration.operatorKeys.length > 0, version: VERSION, publicUrl };
  return {
    openApi: createOpenApiText({
      routes: [...commands, ...queries],
      ...documented,
      limits: configuredLimits(configuration),
    }),
    asyncApi: createAsyncApiText(documented),
  };
}
