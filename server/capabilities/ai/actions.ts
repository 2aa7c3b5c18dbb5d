import type { CapabilityActions } from '../capability-actions.ts'
import { readLiveAi } from './gateway.ts'

export const actions: CapabilityActions = { readLive: readLiveAi }
