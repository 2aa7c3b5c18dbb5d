import type { MeterKey } from '../types.gen.ts'
import { callRoute } from '../web/api.ts'
import type { Allowance } from './types.ts'

export type { Allowance } from './types.ts'

export interface BrowserMeter {
  /** Returns what is left of an allowance of the signed-in person or the whole app. */
  remaining(key: MeterKey): Promise<Allowance>
}

export const meter: BrowserMeter = {
  remaining: (key) => callRoute('GET', `/_app/meter/${encodeURIComponent(key)}`),
}
