import type { CapabilityActions } from '../capability-actions.ts'
import { connectQueue, findDisconnected, pauseQueue } from './consumers.ts'

export const actions: CapabilityActions = {
  trigger: { startCalls: connectQueue, pauseCalls: pauseQueue, findProblem: findDisconnected },
}
