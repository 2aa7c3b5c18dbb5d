import { Hono } from 'hono'
import * as z from 'zod'
import { deployVersion, DEPLOYABLE_VERSIONS } from './publish.ts'
import * as scripts from '../store/scripts.ts'
import type { ApiEnv } from '../rest/context.ts'
import type { ScriptsCloud } from './context.ts'
import { respond, respondWithPage } from '../rest/envelope.ts'
import { findScriptOrRefuse } from '../rest/find-script.ts'
import { ApiFailure, noSuchScript } from '../rest/failure.ts'
import { readBody } from '../rest/read-body.ts'
import { publishUpload, sourceOf } from './routes.ts'
import { toDeployment, toVersion } from './shapes.ts'

const DeploymentInput = z.object({
  strategy: z.literal('percentage'),
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
  annotations: z.record(z.string(), z.string()).default({}),
})

export function versionRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/versions', (c) => {
      const limit = c.req.query('deployable') === 'true' ? DEPLOYABLE_VERSIONS : undefined
      const shown = scripts.listVersions(cloud.store, findScriptOrRefuse(cloud, c).id, limit)
      return respondWithPage(c, shown.map(toVersion), (items) => ({ items }))
    })
    .get('/versions/:version', (c) => {
      const version = scripts.findVersion(
        cloud.store,
        findScriptOrRefuse(cloud, c).id,
        c.req.param('version'),
      )
      if (version === null) throw new ApiFailure(404, 10211, 'This version could not be found.')
      return respond(c, toVersion(version))
    })
    .post('/versions', async (c) => respond(c, toVersion((await publishUpload(cloud, c, false)).version)))
    .get('/deployments', (c) => {
      const script = findScriptOrRefuse(cloud, c)
      return respond(c, { deployments: scripts.listDeployments(cloud.store, script.id).map(toDeployment) })
    })
    .post('/deployments', async (c) => {
      const input = await readBody(c, DeploymentInput)
      const [version, another] = input.versions
      if (version === undefined || another !== undefined || version.percentage !== 100) {
        throw new ApiFailure(400, 10021, 'The local cloud deploys one version at 100 percent.')
      }
      const name = c.req.param('script')
      if (name === undefined) throw noSuchScript()
      const deployment = await deployVersion(cloud, c.get('account'), name, {
        versionId: version.version_id,
        source: sourceOf(c),
        annotations: input.annotations,
      })
      return respond(c, toDeployment(deployment))
    })
}
