import type { MeterKey } from '../types.gen.ts'
import { callRoute } from '../web/api.ts'
import type { Allowance } from './types.ts'

export interface BrowserMeter {
  /** Returns what is left for the person who is signed in, or for the whole app. */
  remaining(key: MeterKey): Promise<Allowance>
}

export const meter: BrowserMeter = {
  remaining: (key) => callRoute('GET', `/_app/meter/${encodeURIComponent(key)}`),
}
