import type { DeployState, Project } from '@slipway/sdk/client/types.gen.ts'

export const project = { id: 'prj_1', name: 'Plants' } as Project

export const live: DeployState = {
  state: 'live',
  url: 'https://plants.example.com',
  sha: 'abc1234def',
  builtSha: 'abc1234def',
  upToDate: true,
  // 5.1 hours instead of 5, so that the age still rounds to 5 hours when a test runs some minutes after this file was loaded.
  deployedAt: new Date(Date.now() - 5.1 * 3_600_000).toISOString(),
  error: null,
  move: null,
}
