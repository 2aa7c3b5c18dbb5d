import type { DeployState } from '@slipway/sdk/client/types.gen.ts'

/** Whether the newest version is live, and in the cloud account that is connected now. */
export const isUpToDate = (deployment: DeployState | undefined): boolean =>
  deployment?.state === 'live' && deployment.upToDate && deployment.move?.state !== 'waiting'
