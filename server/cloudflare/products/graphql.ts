import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { CloudflareError } from '../errors.ts'

export interface HourOfWorker {
  script: string
  at: Date
  requests: number
  /** The number of invocations that threw an exception or exceeded a limit. */
  errors: number
}

export interface TimeWindow {
  from: Date
  to: Date
}

// The most rows that the provider returns for one dataset of a query.
const ROWS_MAX = 10_000

const REQUESTS_QUERY = `query Requests($account: string!, $scripts: [string!], $from: Time!, $to: Time!) {
  viewer {
    accounts(filter: { accountTag: $account }) {
      workersInvocationsAdaptive(
        limit: ${ROWS_MAX}
        filter: { scriptName_in: $scripts, datetime_geq: $from, datetime_leq: $to }
      ) {
        sum { requests errors }
        dimensions { scriptName datetimeHour }
      }
    }
  }
}`

const GraphqlResponse = z.looseObject({
  data: z
    .looseObject({
      viewer: z.looseObject({
        accounts: z.array(
          z.looseObject({
            workersInvocationsAdaptive: z.array(
              z.looseObject({
                sum: z.looseObject({ requests: z.coerce.number(), errors: z.coerce.number() }),
                dimensions: z.looseObject({ scriptName: z.string(), datetimeHour: z.string() }),
              }),
            ),
          }),
        ),
      }),
    })
    .nullable()
    // A query that fails before it runs has a response without `data` (the GraphQL specification, 7.1).
    .default(null),
  errors: z
    .array(
      z.looseObject({
        message: z.string(),
        extensions: z.looseObject({ code: z.string().optional() }).nullish(),
      }),
    )
    .nullish(),
})

/**
 * Reads the hourly figures of all workers with one query. An hour without requests has no row. Throws when the body contains errors, which
 * GraphQL sends with HTTP 200.
 */
export async function readHours(
  cloud: Cloud,
  scripts: string[],
  { from, to }: TimeWindow,
): Promise<HourOfWorker[]> {
  const doing = 'read how often the workers were called'
  const response = await cloud.call({
    method: 'POST',
    path: '/graphql',
    json: {
      query: REQUESTS_QUERY,
      variables: {
        account: cloud.accountId,
        scripts,
        from: from.toISOString(),
        to: to.toISOString(),
      },
    },
    doing,
    result: GraphqlResponse,
    isWhole: true,
    write: null,
    repeatable: true,
  })
  const [refusal] = response.errors ?? []
  if (response.data === null || refusal !== undefined) throw errorOfRefusal(doing, refusal)
  const rows = response.data.viewer.accounts.flatMap((account) => account.workersInvocationsAdaptive)
  return rows.map(({ sum, dimensions }) => ({
    script: dimensions.scriptName,
    at: new Date(dimensions.datetimeHour),
    requests: sum.requests,
    errors: sum.errors,
  }))
}

/** The error for a body that contains errors, which GraphQL sends with HTTP 200. */
function errorOfRefusal(
  doing: string,
  refusal: NonNullable<z.output<typeof GraphqlResponse>['errors']>[number] | undefined,
) {
  const said = refusal?.message ?? 'no data'
  return refusal?.extensions?.code === 'authz'
    ? new CloudflareError(
        'missing_scope',
        `The connected cloud account may not ${doing}: ${said}. Grant Account Analytics: Read and connect it again.`,
        { status: 200 },
      )
    : new CloudflareError('upstream', `The cloud account refused to ${doing}: ${said}`, { status: 200 })
}
