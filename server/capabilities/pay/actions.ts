import type { CapabilityActions } from '../capability-actions.ts'
import { updateEndpoints } from './endpoints.ts'
import { checkNewKeys, readKeyCheck } from './key-check.ts'
import { syncPayments } from './sync.ts'

export const actions: CapabilityActions = {
  afterResources: syncPayments,
  keyCheck: { check: checkNewKeys, read: readKeyCheck },
  whenServing: (work, tier) => updateEndpoints(work, { serving: tier }),
  whenStopped: (work, tier) => updateEndpoints(work, { resting: tier }),
}
