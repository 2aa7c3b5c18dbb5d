import { ApiError } from '../kernel/errors.ts'
import type { MeterKey } from '../types.gen.ts'
import { callMeter } from './rpc-client.ts'
import type { Allowance } from './types.ts'

export type { Allowance } from './types.ts'

/** The allowances of `app.json`. `subject` is the id of a person or team, or `'app'` for a meter of the whole app. */
export interface ServerMeter {
  /** Spends `n` units, or none when fewer are left. The same `id` within 24 hours spends only once. */
  consume(key: MeterKey, subject: string, n?: number, options?: { id?: string }): Promise<Allowance>
  /** Like `consume`, but throws `rate_limited` (429) when fewer are left. */
  require(key: MeterKey, subject: string, n?: number, options?: { id?: string }): Promise<Allowance>
  /** Returns what is left, and whether `n` units would fit. */
  peek(key: MeterKey, subject: string, n?: number): Promise<Allowance>
  /** Refunds the spend with this id. A second refund of it changes nothing. */
  refund(id: string): Promise<Allowance>
}

export const meter: ServerMeter = {
  consume: (key, subject, n = 1, { id } = {}) => callMeter('consume', { key, subject, n, id: id ?? null }),
  async require(key, subject, n, options) {
    const allowance = await meter.consume(key, subject, n, options)
    if (allowance.ok) return allowance
    const { resetsAt } = allowance
    if (resetsAt === null) throw new ApiError('rate_limited', 'The limit is reached.')
    throw new ApiError('rate_limited', `The limit is reached. There is more after ${resetsAt}.`, {
      retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000)),
    })
  },
  peek: (key, subject, n = 1) => callMeter('peek', { key, subject, n }),
  refund: (id) => callMeter('refund', { id }),
}
