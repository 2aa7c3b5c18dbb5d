import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { ApiFailure } from '../../rest/failure.ts'
import { columnOf, type SqlCondition, EventFilter, FilterCombination, toCondition } from './filters.ts'
import type { Telemetry } from './telemetry.ts'

const EVENTS_MAX = 2000
const GROUPS_MAX = 2000
const INTERVALS_SECONDS = [60, 300, 3600, 86_400]
const SERIES_MAX = 60

const Calculation = z.object({
  operator: z.string().transform((name) => name.toLowerCase()),
  key: z.string().max(200).optional(),
  alias: z.string().max(200).optional(),
})

/** The provider's request body, as far as it is supported. */
export const TelemetryQuery = z.object({
  queryId: z.string().max(200),
  timeframe: z.object({ from: z.number().int(), to: z.number().int() }),
  view: z.enum(['events', 'calculations']).default('calculations'),
  limit: z.number().int().min(1).max(EVENTS_MAX).default(50),
  /** The length of an interval of the series in seconds; by default derived from the time range. */
  granularity: z.number().int().min(1).optional(),
  parameters: z
    .object({
      filters: z.array(EventFilter).max(20).default([]),
      filterCombination: FilterCombination,
      calculations: z
        .array(Calculation)
        .min(1)
        .max(5)
        .default([{ operator: 'count' }]),
      groupBys: z
        .array(z.object({ type: z.string().optional(), value: z.string().max(200) }))
        .max(5)
        .default([]),
    })
    .prefault({}),
})
type LogQuery = z.output<typeof TelemetryQuery>

/** Returns events or aggregates in the provider's shape. */
export function queryTelemetry(telemetry: Telemetry, accountId: string, query: LogQuery): object {
  const startedAt = performance.now()
  const { timeframe, parameters } = query
  const filter = toCondition(parameters.filters, parameters.filterCombination)
  const where: SqlCondition = {
    sql: `account_id = ? AND at BETWEEN ? AND ? AND ${filter.sql}`,
    params: [accountId, timeframe.from, timeframe.to, ...filter.params],
  }
  const granularity = query.granularity ?? fittingInterval(timeframe)
  const found =
    query.view === 'events'
      ? { events: readEvents(telemetry, where, query.limit) }
      : {
          calculations: parameters.calculations.map((calculation) =>
            calculateSeries(telemetry, where, calculation, {
              groupBys: parameters.groupBys,
              timeframe,
              granularity,
            }),
          ),
        }
  const elapsed = (performance.now() - startedAt) / 1000
  return {
    run: {
      id: randomUUID(),
      accountId,
      dry: false,
      granularity,
      query: { id: query.queryId, adhoc: true, parameters },
      status: 'COMPLETED',
      timeframe,
      userId: accountId,
    },
    statistics: { elapsed, rows_read: 0, bytes_read: 0 },
    ...found,
  }
}

function fittingInterval({ from, to }: LogQuery['timeframe']): number {
  const seconds = (to - from) / 1000
  return INTERVALS_SECONDS.find((interval) => seconds / interval <= SERIES_MAX) ?? 86_400
}

interface EventRow {
  id: number
  account_id: string
  script: string
  at: number
  request_id: string
  type: string
  event_type: string
  outcome: string
  level: string
  message: string
  error: string | null
  fingerprint: string | null
  trigger_name: string | null
  url: string | null
  status_code: number | null
  source: string
}

function readEvents(telemetry: Telemetry, { sql, params }: SqlCondition, limit: number): object {
  const rows = telemetry.all<EventRow>(
    `SELECT * FROM events WHERE ${sql} ORDER BY at DESC, id DESC LIMIT ?`,
    ...params,
    limit,
  )
  const [total] = telemetry.all<{ count: number }>(
    `SELECT count(*) AS count FROM events WHERE ${sql}`,
    ...params,
  )
  return { count: total?.count ?? 0, fields: [], series: [], events: rows.map(toEvent) }
}

function toEvent(row: EventRow): object {
  const given = Object.entries({
    error: row.error,
    fingerprint: row.fingerprint,
    trigger: row.trigger_name,
    url: row.url,
    statusCode: row.status_code,
  }).filter(([, value]) => value !== null)
  return {
    dataset: 'cloudflare-workers',
    timestamp: row.at,
    source: JSON.parse(row.source),
    $metadata: {
      id: String(row.id),
      account: row.account_id,
      requestId: row.request_id,
      service: row.script,
      type: row.type,
      level: row.level,
      message: row.message,
      ...Object.fromEntries(given),
    },
    $workers: {
      eventType: row.event_type,
      outcome: row.outcome,
      requestId: row.request_id,
      scriptName: row.script,
      truncated: false,
    },
  }
}

interface QueryFrame {
  groupBys: LogQuery['parameters']['groupBys']
  timeframe: LogQuery['timeframe']
  granularity: number
}
type SumRow = { step: number; count: number; value: number | null } & Record<string, string | number>

function calculateSeries(
  telemetry: Telemetry,
  where: SqlCondition,
  calculation: z.output<typeof Calculation>,
  { groupBys, timeframe, granularity }: QueryFrame,
): object {
  const value = calculationSql(calculation)
  const keys = groupBys.map((group) => columnOf(group.value))
  const columns = keys.map(({ sql }, index) => `${sql} AS g${index}`)
  const names = keys.map((_, index) => `g${index}`)
  const readSums = (step: string) =>
    telemetry.all<SumRow>(
      `SELECT ${[...columns, `${step} AS step`].join(', ')}, count(*) AS count, ${value.sql} AS value
       FROM events WHERE ${where.sql} GROUP BY ${[...names, 'step'].join(', ')} ORDER BY step, count DESC LIMIT ?`,
      ...keys.flatMap(({ params }) => params),
      ...value.params,
      ...where.params,
      GROUPS_MAX,
    )
  const toAggregate = (row: SumRow, interval: number) => ({
    count: row.count,
    value: row.value ?? 0,
    interval,
    sampleInterval: 1,
    groups: groupBys.map((group, index) => ({ key: group.value, value: row[`g${index}`] ?? '' })),
  })
  const stepMs = granularity * 1000
  const series = Map.groupBy(readSums(`at / ${stepMs}`), (row) => row.step)
  return {
    calculation: calculation.operator,
    ...(calculation.alias === undefined ? {} : { alias: calculation.alias }),
    aggregates: readSums('0').map((row) => toAggregate(row, (timeframe.to - timeframe.from) / 1000)),
    series: [...series].map(([step, rows]) => ({
      time: new Date(step * stepMs).toISOString(),
      data: rows.map((row) => toAggregate(row, granularity)),
    })),
  }
}

const OPERATOR_SQL: Record<string, (column: string) => string> = {
  uniq: (column) => `count(DISTINCT ${column})`,
  count_distinct: (column) => `count(DISTINCT ${column})`,
  sum: (column) => `total(${column})`,
  avg: (column) => `avg(${column})`,
  min: (column) => `min(${column})`,
  max: (column) => `max(${column})`,
}

function calculationSql({ operator, key }: z.output<typeof Calculation>): SqlCondition {
  if (operator === 'count') return { sql: 'count(*)', params: [] }
  const wrap = Object.hasOwn(OPERATOR_SQL, operator) ? OPERATOR_SQL[operator] : undefined
  if (wrap === undefined || key === undefined)
    throw new ApiFailure(400, 10001, `The calculation ${operator} is not available in the local cloud.`)
  const column = columnOf(key)
  return { sql: wrap(column.sql), params: column.params }
}
