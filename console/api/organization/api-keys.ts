import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { Scope } from '../types.ts'

/** The API keys of the organization, newest first. Expired keys are included, because they count toward the limit. */
export const keysQuery = () =>
  queryOptions({ queryKey: queryKeys.apiKeys, queryFn: ({ signal }) => call(api.listKeys({ signal })) })

/**
 * Creates an API key. The response contains the key itself, which no later request returns. Without `expiresInDays` the key does not
 * expire.
 */
export const createKey = (input: { name: string; scopes: Scope[]; expiresInDays?: number }) =>
  call(api.createKey({ body: input }))

/** Revokes an API key. The next request with the key is refused. */
export const revokeKey = (id: string) => call(api.revokeKey({ path: { id } }))
