/** Sends traces with the OpenTelemetry SDK to an OTLP collector over HTTP. Uses no globals of the SDK. */
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Span, SpanOptions, Tracing } from '../../kernel/ports/tracing.ts';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

interface OtlpTracingOptions {
  /** Address of the collector, to which `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly serviceVersion: string;
  /** Maximum milliseconds of `close`. */
  readonly closeTimeout: number;
  /** Receives an entry when the collector starts to reject spans, and when it accepts them again. */
  readonly logger: Logger;
}

/** Attributes that OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override. */
function resourceOf(serviceVersion: string) {
  const own = { 'service.name': 'levy', 'service.version': serviceVersion };
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }));
}

export function openOtlpTracing(options: OtlpTracingOptions): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceOf(options.serviceVersion),
    spanProcessors: [
      new BatchSpanProcessor(
        reporting(new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }), options.logger),
      ),
    ],
  });
  const tracer = provider.getTracer('levy', options.serviceVersion);
  const contexts = new AsyncLocalStorageContextManager();

  function begin(name: string, parent: Context, { kind = 'internal', attributes }: SpanOptions): Span {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
    return spanOf(span, trace.setSpan(parent, span));
  }

  function spanOf(span: OtelSpan, context: Context): Span {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      rename: (name) => void span.updateName(name),
      describe: (attributes) => void span.setAttributes({ ...attributes }),
      fail(type) {
        span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
      },
      run: (work) => contexts.with(context, work),
      end() {
        if (span.isRecording()) span.end();
      },
    };
  }

  return {
    begin: (name, traceparent, spanOptions = {}) =>
      begin(name, remote(traceparent) ?? ROOT_CONTEXT, spanOptions),

    async within(name, spanOptions, work) {
      const active = contexts.active();
      if (trace.getSpanContext(active) === undefined) return work(undefined);
      const span = begin(name, active, spanOptions);
      try {
        return await span.run(() => work(span));
      } catch (error) {
        // A rejection is a normal result, not an error of the service.
        if (error instanceof Rejection) span.describe({ 'levy.rejection': error.code });
        else span.fail(error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },

    continuing(traceparent, work) {
      const context = remote(traceparent);
      return context === undefined ? work() : contexts.with(context, work);
    },

    async close() {
      const over = new AbortController();
      const ended = provider.shutdown().then(
        () => over.abort(),
        () => over.abort(),
      );
      await Promise.race([ended, sleep(options.closeTimeout, over.signal)]);
      over.abort();
    },
  };
}

/** Undefined if the text does not identify a span. */
function remote(traceparent: string | undefined): Context | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent === null ? undefined : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** Logs once when the collector stops accepting spans, and once when it accepts them again. */
function reporting(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed !== isFailing) {
          isFailing = hasFailed;
          if (hasFailed) logger.warn({ error: result.error?.name ?? 'unknown' }, 'trace export failing');
          else logger.warn({}, 'trace export resumed');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
