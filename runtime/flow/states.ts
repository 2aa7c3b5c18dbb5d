export const FLOW_STATES = [
  'queued',
  'running',
  'waiting',
  'paused',
  'complete',
  'failed',
  'cancelled',
] as const
export type FlowState = (typeof FLOW_STATES)[number]

const STATE_OF: Readonly<Record<string, FlowState>> = {
  queued: 'queued',
  waiting: 'waiting',
  paused: 'paused',
  waitingForPause: 'paused',
  complete: 'complete',
  errored: 'failed',
  terminated: 'cancelled',
}

/** Returns the state for a status of a Cloudflare Workflow. An unknown status counts as running. */
export const flowState = (native: string): FlowState => STATE_OF[native] ?? 'running'

export const hasEnded = (state: FlowState): boolean =>
  state === 'complete' || state === 'failed' || state === 'cancelled'
