import { ENDPOINTS } from '../endpoints.ts'
import type { TestApp } from './app.ts'

/** Lifts the rate limit of every route. The rule that is opened first applies, so call it before any request. */
export function liftRouteLimits(app: TestApp): void {
  for (const { limit } of ENDPOINTS)
    if (limit !== undefined)
      app.platform.counters.open({ name: `route ${limit.counter}`, points: 1e9, seconds: 60 })
}
