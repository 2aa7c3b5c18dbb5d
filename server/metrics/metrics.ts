import { createHash, timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from 'pino'

export interface GaugeReading {
  name: string
  labels?: Record<string, string>
  value: number
}

/** Gauges that are read together when metrics are requested, such as all values of one table. */
export interface GaugeSource<Of> {
  gauges: Readonly<Record<string, { help: string; labels?: readonly string[] }>>
  read(of: Of): Promise<GaugeReading[]> | GaugeReading[]
}

/** Histogram buckets in seconds, from a look-up in memory to a build that the caller waits for. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * The metrics of this process as text for Prometheus. Labels have few values, all chosen by the service. They
 * never contain the name or id of an organization, a key or an address.
 */
export class Metrics<Of> {
  readonly contentType: string
  readonly #registry = new Registry()
  readonly #token: Buffer
  readonly #sources: readonly GaugeSource<Of>[]
  readonly #gauges = new Map<string, Gauge>()
  readonly #requests: Counter
  readonly #requestSeconds: Histogram
  readonly #builds: Counter
  readonly #deliveries: Counter
  readonly #jobs: Counter
  readonly #unread: Counter

  constructor(token: string, sources: readonly GaugeSource<Of>[]) {
    this.#token = sha256Digest(token)
    this.#sources = sources
    this.contentType = this.#registry.contentType
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Counter({
      name: 'slipway_http_requests_total',
      help: 'Requests with a response; "other" is everything that is not a route of the API, such as pages.',
      labelNames: ['method', 'route', 'code'],
      registers,
    })
    this.#requestSeconds = new Histogram({
      name: 'slipway_http_request_seconds',
      help: 'Time until a response began; a stream continues after that.',
      labelNames: ['method', 'route'],
      buckets: DURATION_BUCKETS,
      registers,
    })
    this.#builds = new Counter({
      name: 'slipway_builds_finished_total',
      help: 'Builds that this process settled; one that went on after a restart counts once.',
      labelNames: ['outcome'],
      registers,
    })
    this.#deliveries = new Counter({
      name: 'slipway_deliveries_attempted_total',
      help: 'Attempts of this process to deliver an event; "dropped" is a failure that was the last attempt.',
      labelNames: ['outcome'],
      registers,
    })
    this.#jobs = new Counter({
      name: 'slipway_jobs_run_total',
      help: 'Jobs that this process worked on; a failed one is retried unless it was its last attempt.',
      labelNames: ['job', 'outcome'],
      registers,
    })
    this.#unread = new Counter({
      name: 'slipway_metrics_unread_total',
      help: 'How often a group of values could not be read, for instance because the database was away.',
      registers,
    })
    for (const [name, { help, labels = [] }] of sources.flatMap(({ gauges }) => Object.entries(gauges)))
      this.#gauges.set(name, new Gauge({ name, help, labelNames: [...labels], registers }))
  }

  /** Returns whether an `Authorization` header contains the token. Compares in constant time. */
  admits(authorization: string | null): boolean {
    const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(sha256Digest(given), this.#token)
  }

  request(labels: { method: string; route: string; code: number }, seconds: number): void {
    const { method, route } = labels
    this.#requests.inc(labels)
    this.#requestSeconds.observe({ method, route }, seconds)
  }

  buildFinished(outcome: 'built' | 'replied' | 'awaiting' | 'failed' | 'cancelled'): void {
    this.#builds.inc({ outcome })
  }

  deliveryAttempted(outcome: 'delivered' | 'failed' | 'dropped'): void {
    this.#deliveries.inc({ outcome })
  }

  jobRun(job: string, outcome: 'completed' | 'failed'): void {
    this.#jobs.inc({ job, outcome })
  }

  /** Reads the gauges and returns all metrics. Leaves out the gauges of a source that cannot be read. */
  async text(of: Of, log: Logger): Promise<string> {
    await Promise.all(this.#sources.map((source) => this.#readGauges(source, of, log)))
    return this.#registry.metrics()
  }

  async #readGauges(source: GaugeSource<Of>, of: Of, log: Logger): Promise<void> {
    const reading = async () => source.read(of)
    const readings = await reading().catch((err: unknown) => {
      this.#unread.inc()
      log.warn({ err }, 'metrics could not be read')
      return []
    })
    for (const [name, { labels = [] }] of Object.entries(source.gauges)) {
      const gauge = this.#gauges.get(name)
      gauge?.reset()
      // A reset gauge without labels would be shown as 0, as if it had been read.
      if (labels.length === 0) gauge?.remove()
    }
    for (const { name, labels = {}, value } of readings) {
      const gauge = this.#gauges.get(name)
      if (gauge === undefined) throw new Error(`the source of ${name} does not declare it`)
      gauge.set(labels, value)
    }
  }

  /** Returns the metrics without values, for the test that compares the documentation with them. */
  async describe(): Promise<{ name: string; help: string; type: string }[]> {
    const metrics = await this.#registry.getMetricsAsJSON()
    return metrics.map(({ name, help, type }) => ({ name, help, type: String(type) }))
  }
}

// Digests have equal length, so the duration does not depend on the length of the token.
const sha256Digest = (text: string): Buffer => createHash('sha256').update(text).digest()
