import type { Method } from '../kernel/objects/calls.ts'
import type { JobKeyCalls } from './objects.ts'

export interface Methods {
  jobKeys: Method<JobKeyCalls>
}
