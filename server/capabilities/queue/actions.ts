import type { CapabilityActions } from '../capability-actions.ts'
import { connectQueue, findDisconnected, pauseQueue } from './consumers.ts'

export const actions: CapabilityActions = {
  trigger: { connect: connectQueue, pause: pauseQueue, findProblem: findDisconnected },
}
