import type { DeployState } from '@slipway/sdk/client/types.gen.ts'

/** Whether the newest version is the live one, in the account that is connected. */
export const isUpToDate = (deployment: DeployState | undefined): boolean =>
  deployment?.state === 'live' && deployment.upToDate && deployment.move?.state !== 'waiting'
