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

/** Stores the identity provider. A previous provider is replaced: its sessions end, and single sign-on is no longer required. */
export const saveSso = (input: SsoInput) => call(api.saveSsoProvider({ body: input }))
/** Reads the TXT records of the provider's domains now. May be called again until all are found. */
export const verifySsoDomain = () => call(api.verifySsoDomain())
/** Removes the identity provider, ends the sessions that it started, and no longer requires single sign-on. */
export const removeSso = () => call(api.removeSsoProvider())
