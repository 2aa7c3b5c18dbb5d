import type { CapabilityActions } from '../capability-actions.ts'
import { connectFlows, findUnservedFlowReason, pauseFlows } from './workflow.ts'

export const actions: CapabilityActions = {
  trigger: { startCalls: connectFlows, pauseCalls: pauseFlows, findProblem: findUnservedFlowReason },
}
