import type { CapabilityActions } from '../capability-actions.ts'
import { readLiveGuard } from './live.ts'

export const actions: CapabilityActions = { readLive: readLiveGuard }
