import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { Scope } from '../types.ts'

export const keysQuery = () =>
  queryOptions({ queryKey: queryKeys.apiKeys, queryFn: ({ signal }) => call(api.listKeys({ signal })) })

export const createKey = (input: { name: string; scopes: Scope[]; expiresInDays?: number }) =>
  call(api.createKey({ body: input }))

export const revokeKey = (id: string) => call(api.revokeKey({ path: { id } }))
