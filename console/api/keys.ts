import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { ApiKey, CreatedKey, Scope } from './types.ts'

export const keysQuery = () =>
  queryOptions({ queryKey: ['keys'], queryFn: ({ signal }) => request<ApiKey[]>('GET', '/keys', { signal }) })

export const createKey = (input: { name: string; scopes: Scope[]; expiresInDays?: number }) =>
  request<CreatedKey>('POST', '/keys', { body: input })

export const revokeKey = (id: string) => request<unknown>('DELETE', `/keys/${id}`)
