import type { Method } from '../kernel/calls.ts'
import type { JobKeyCalls } from './objects.ts'

export interface Methods {
  jobKeys: Method<JobKeyCalls>
}
