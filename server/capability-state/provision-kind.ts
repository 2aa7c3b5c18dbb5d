import * as z from 'zod'
import type { JobKind } from '../platform.ts'

const Provision = z.object({ orgId: z.string(), projectId: z.string(), actor: z.string() })

/** Creates the resources of a project's capabilities and updates the bindings of its workers (`provision.ts`). */
export const provisionKind: JobKind<z.output<typeof Provision>> = {
  name: 'provision',
  data: Provision,
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  joinsWaiting: true,
}
