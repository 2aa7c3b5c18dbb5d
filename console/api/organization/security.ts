import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The settings of the security policy, which are always saved together. */
export type Policy = Omit<SecurityPolicy, 'ssoReady' | 'callerAddress'>

/** The security policy, whether single sign-on can be required (`ssoReady`), and the IP address of this browser (`callerAddress`). */
export const securityQuery = () =>
  queryOptions({
    queryKey: queryKeys.security,
    queryFn: ({ signal }) => call(api.readSecurityPolicy({ signal })),
  })

/** Saves the security policy. A stricter policy signs out every member, the caller too. */
export const updateSecurity = (policy: Policy) => call(api.updateSecurityPolicy({ body: policy }))
