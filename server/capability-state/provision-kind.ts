import * as z from 'zod'
import type { JobKind } from '../platform.ts'

const Provision = z.object({ orgId: z.string(), projectId: z.string(), actor: z.string() })

/** Makes the resources of a project's capabilities and rebinds its apps (`provision.ts`). */
export const provisionKind: JobKind<z.output<typeof Provision>> = {
  name: 'provision',
  data: Provision,
  policy: 'key_strict_fifo',
  key: (data) => data.projectId,
  joinsWaiting: true,
}
