import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { backUpProject } from './backup.ts'

const Backup = z
  .object({
    repository: z.object({ provider: z.literal('github'), url: z.string() }),
    branch: z.literal('main'),
    sha: z.string().describe('The commit that the branch points to.'),
    pushedAt: z.iso.datetime(),
  })
  .meta({ id: 'Backup' })

export const backupRoutes = group('Code', {
  backUpProject: endpoint({
    route: 'POST /projects/:projectId/backup',
    scope: 'build:write',
    needs: ['accounts'],
    summary: 'Push the code with its history to the connected code host',
    description:
      'Creates a private repository under the address of the project when it is missing. A branch that moved on there is never overwritten: 409.',
    returns: Backup,
    fails: ['invalid_request', 'conflict', 'upstream_error'],
    handle: ({ ctx, params }) => backUpProject(ctx, params.projectId),
  }),
})
