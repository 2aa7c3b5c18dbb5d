import { getMe } from '@slipway/sdk/client/sdk.gen.ts'
import { call } from '../request/client.ts'

/** In a file of its own, so that the sign-in pages do not load the whole API client. */
export const readMe = (signal: AbortSignal) => call(getMe({ signal }))
