import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { SaveSsoProviderData } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type SsoInput = SaveSsoProviderData['body']

/** The identity provider of the organization, or null. */
export const ssoQuery = () =>
  queryOptions({
    queryKey: queryKeys.sso,
    queryFn: ({ signal }) => call(api.readSsoProvider({ signal })),
  })

export const saveSso = (input: SsoInput) => call(api.saveSsoProvider({ body: input }))
export const verifySsoDomain = () => call(api.verifySsoDomain())
export const removeSso = () => call(api.removeSsoProvider())
