import { getMe } from '@slipway/sdk/client/sdk.gen.ts'
import { call } from '../request/client.ts'

/** In a file of its own, so that pages for signed-out visitors do not load the API client. */
export const readMe = (signal: AbortSignal) => call(getMe({ signal }))
