/** The API's descriptions, as this process serves them. */
import { configuredLimits } from '../commands/configured-limits.ts';
import { commands } from '../commands/index.ts';
import { lazily, readyJson } from '../kernel/runtime/ready-answer.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { queries } from '../queries/index.ts';
import { createAsyncApiText } from '../reference/asyncapi/document.ts';
import { createOpenApiText } from '../reference/openapi/document.ts';
import { VERSION } from './version.ts';

export function describedApi(configuration: Configuration, publicUrl: () => string) {
  const documented = { operators: configuration.operatorKeys.length > 0, version: VERSION, publicUrl };
  const openApi = createOpenApiText({
    routes: [...commands, ...queries],
    ...documented,
    limits: configuredLimits(configuration),
  });
  const asyncApi = createAsyncApiText(documented);
  return { openApi: lazily(() => readyJson(openApi())), asyncApi: lazily(() => readyJson(asyncApi())) };
}
