import * as z from 'zod'
import { readConnection } from '../connections/connections.ts'
import type { CallerContext } from '../endpoint.ts'
import type { ResourceKind } from '../resource-names.ts'

/**
 * The maximum number of resources of each kind that an account may hold on the free and the paid plan of Workers
 * (https://developers.cloudflare.com/workers/platform/limits/, and the limits of Durable Objects and Queues). Workflows count as
 * workers.
 */
const PLAN_CEILINGS: readonly {
  thing: string
  kinds: readonly ResourceKind[]
  free: number
  paid: number
}[] = [
  { thing: 'workers', kinds: ['worker', 'workflow'], free: 100, paid: 500 },
  { thing: 'object_classes', kinds: ['object_namespace'], free: 100, paid: 500 },
  { thing: 'queues', kinds: ['queue'], free: 10_000, paid: 10_000 },
]

export const Ceiling = z
  .object({
    thing: z.enum(['workers', 'object_classes', 'queues']),
    used: z.int().describe('What this service made there; what others made in the account counts too.'),
    free: z.int().describe('The most on the free plan.'),
    paid: z.int().describe('The most on the paid plan.'),
  })
  .meta({ id: 'Ceiling' })

/**
 * Returns how many resources of each kind the organization has in the connected account, and how many the account may
 * hold. Returns an empty list when no account is connected.
 */
export async function listCeilings(ctx: CallerContext<'db'>): Promise<z.infer<typeof Ceiling>[]> {
  const connected = await readConnection(ctx.db, ctx.caller.organizationId, 'cloudflare')
  if (connected?.account_id == null) return []
  const rows = await ctx.db
    .selectFrom('resources')
    .select(['kind', (eb) => eb.fn.countAll<string>().as('count')])
    .where('account_id', '=', connected.account_id)
    .where('org_id', '=', ctx.caller.organizationId)
    .groupBy('kind')
    .execute()
  const countOf = (kind: string) => Number(rows.find((row) => row.kind === kind)?.count ?? 0)
  return PLAN_CEILINGS.map(({ thing, kinds, free, paid }) =>
    Ceiling.parse({ thing, used: kinds.reduce((sum, kind) => sum + countOf(kind), 0), free, paid }),
  )
}
