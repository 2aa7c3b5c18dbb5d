import { getMe } from '@slipway/sdk/client/sdk.gen.ts'
import { call } from '../request/client.ts'

/** Apart from the question itself, so that the pages of the signed out load no client of the API. */
export const readMe = (signal: AbortSignal) => call(getMe({ signal }))
