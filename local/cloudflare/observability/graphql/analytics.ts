import * as z from 'zod'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Token } from '../../accounts/tokens.ts'
import {
  executeQuery,
  type FieldResolvers,
  type QueryResult,
  QueryRefusal,
  selectedFields,
} from './execute.ts'
import { readInvocations } from './invocations.ts'

const Accounts = z.object({ filter: z.object({ accountTag: z.string() }) })

/** Executes a query, which can read only the accounts of the token. */
export function runAnalyticsQuery(
  telemetry: Telemetry,
  token: Pick<Token, 'accountIds' | 'scopes'>,
  { query, variables }: { query: string; variables: Record<string, unknown> },
): QueryResult {
  const { accountIds, scopes } = token
  const mayRead = scopes.length === 0 || scopes.includes('account-analytics.read')
  const accountOf = (accountId: string): FieldResolvers => ({
    workersInvocationsAdaptive: (args, node) =>
      readInvocations(telemetry, accountId, args, selectedFields(node, 'dimensions')),
    // The local cloud does not measure databases, so there are no rows.
    d1AnalyticsAdaptiveGroups: () => [],
  })
  return executeQuery(query, variables, {
    viewer: () => ({
      accounts: (args) => {
        const input = Accounts.safeParse(args)
        if (!input.success) throw new QueryRefusal('accounts: filter.accountTag is needed')
        const { accountTag } = input.data.filter
        if (!mayRead || !accountIds.includes(accountTag))
          throw new QueryRefusal('not authorized for that account', 'authz')
        return [accountOf(accountTag)]
      },
    }),
  })
}
