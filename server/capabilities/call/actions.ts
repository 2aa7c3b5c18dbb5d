import type { CapabilityActions } from '../capability-actions.ts'
import { readLiveCalls } from './live.ts'

export const actions: CapabilityActions = { readLive: readLiveCalls }
