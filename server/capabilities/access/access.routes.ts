import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { readAccess, setAccessCode } from './access.ts'

const CODE_CHARS_MIN = 8
const CODE_CHARS_MAX = 100

/** Each process of an app counts wrong codes separately. So the limit alone does not prevent guessing, and a code has to be long. */
const Code = z.string().trim().normalize('NFC').min(CODE_CHARS_MIN).max(CODE_CHARS_MAX)

const Access = z
  .object({
    enabled: z.boolean(),
    since: z.iso.datetime().nullable(),
    applied: z.boolean().describe('Whether the running app already applies it.'),
  })
  .meta({ id: 'AppAccess' })

export const accessRoutes = group('Projects', {
  getAppAccess: endpoint({
    route: 'GET /projects/:projectId/access',
    scope: 'projects:read',
    summary: 'Read whether the live app asks for an access code',
    returns: Access,
    handle: ({ ctx, params }) => readAccess(ctx, params.projectId),
  }),
  setAppAccess: endpoint({
    route: 'PUT /projects/:projectId/access',
    scope: 'projects:write',
    needs: ['keyring', 'jobs'],
    summary: 'Put the live app behind an access code, or open it again',
    description:
      'The code is stored as a keyed hash and never returned; null removes it. The running app applies it within seconds, without a build (`applied`), and later ships and rollbacks keep it. A new code ends the sessions that the previous code opened. The preview is not affected.',
    body: z.object({ code: Code.nullable() }),
    returns: Access,
    fails: ['conflict'],
    handle: ({ ctx, params, body }) => setAccessCode(ctx, params.projectId, body.code),
  }),
})
