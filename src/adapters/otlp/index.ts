/** OTLP adapter: sends traces to a collector over HTTP. */
import type { Technology } from '../../kernel/ports/technology.ts';

export const otlp = {
  tracing: {
    schemes: ['http', 'https'],

    async open({ url, ...settings }) {
      const { openOtlpTracing } = await import('./tracing.ts');
      return openOtlpTracing({ ...settings, endpoint: url });
    },
  },
} satisfies Technology;
