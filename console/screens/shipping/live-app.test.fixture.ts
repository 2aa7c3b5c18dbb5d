import type { DeployState, Project } from '@slipway/sdk/client/types.gen.ts'

export const project = { id: 'prj_1', name: 'Plants' } as Project

export const live: DeployState = {
  state: 'live',
  url: 'https://plants.example.com',
  sha: 'abc1234def',
  builtSha: 'abc1234def',
  upToDate: true,
  deployedAt: new Date(Date.now() - 5 * 60_000).toISOString(),
  error: null,
  move: null,
}
