import { getMe } from '@slipway/sdk/client/sdk.gen.ts'
import { call } from '../request/client.ts'

/** Reads the user. In a separate file, so that the sign-in pages do not load the whole API client. */
export const readMe = (signal: AbortSignal) => call(getMe({ signal }))
