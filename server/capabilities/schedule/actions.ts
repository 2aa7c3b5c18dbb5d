import type { CapabilityActions } from '../capability-actions.ts'
import { pauseSchedules } from './pause.ts'

export const actions: CapabilityActions = {
  // The admin worker lists the stopped schedules as paused.
  whenStopped: pauseSchedules,
}
