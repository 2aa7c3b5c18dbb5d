import type { DeployState } from '@slipway/sdk/client/types.gen.ts'

/** Whether the newest version is the live one. */
export const isUpToDate = (deployment: DeployState | undefined): boolean =>
  deployment?.state === 'live' && deployment.upToDate
