import * as z from 'zod'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Token } from '../../accounts/tokens.ts'
import { executeQuery, type FieldResolvers, type QueryResult, QueryRefusal, selectedIn } from './execute.ts'
import { readInvocations } from './invocations.ts'

const Accounts = z.object({ filter: z.object({ accountTag: z.string() }) })

/** Executes a query, which can read only the accounts of the token. */
export function runAnalyticsQuery(
  telemetry: Telemetry,
  token: Pick<Token, 'accountId' | 'scopes'>,
  { query, variables }: { query: string; variables: Record<string, unknown> },
): QueryResult {
  const { accountId, scopes } = token
  const mayRead = scopes.length === 0 || scopes.includes('account-analytics.read')
  const account: FieldResolvers = {
    workersInvocationsAdaptive: (args, node) =>
      readInvocations(telemetry, accountId, args, selectedIn(node, 'dimensions')),
    // The local cloud does not measure databases, so there are no rows.
    d1AnalyticsAdaptiveGroups: () => [],
  }
  return executeQuery(query, variables, {
    viewer: () => ({
      accounts: (args) => {
        const input = Accounts.safeParse(args)
        if (!input.success) throw new QueryRefusal('accounts: filter.accountTag is needed')
        if (!mayRead || input.data.filter.accountTag !== accountId)
          throw new QueryRefusal('not authorized for that account', 'authz')
        return [account]
      },
    }),
  })
}
