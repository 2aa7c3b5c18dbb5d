import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/**
 * The rights that the device with this code requests. Fetched only once: lookups are rate limited, and the code is gone once the user has
 * approved or refused the request.
 */
export const grantQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.device(code),
    queryFn: ({ signal }) => call(api.getDeviceGrant({ query: { code }, signal })),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Approves the device, which then collects an API key of the current organization. Fails when the code has expired or was used. */
export const approveDevice = (code: string) => call(api.approveDevice({ body: { code } }))

/** Refuses the device. The code cannot be used afterwards, and no key is created. */
export const denyDevice = (code: string) => call(api.denyDevice({ body: { code } }))
