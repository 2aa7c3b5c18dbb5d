import type { CapabilityActions } from '../capability-actions.ts'
import { connectQueue, disconnectedReason, pauseQueue } from './consumers.ts'

export const actions: CapabilityActions = {
  trigger: { startCalls: connectQueue, pauseCalls: pauseQueue, findProblem: disconnectedReason },
}
