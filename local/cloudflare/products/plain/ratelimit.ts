import * as z from 'zod'
import { type BindingKind, refuseUpload } from '../binding.ts'

const RateLimit = z.object({
  namespace_id: z.string().min(1),
  simple: z.object({ limit: z.number().int().positive(), period: z.union([z.literal(10), z.literal(60)]) }),
})

export const ratelimit: BindingKind = {
  types: ['ratelimit'],
  check: (binding) => {
    const read = RateLimit.safeParse(binding)
    if (!read.success) throw refuseUpload(`Binding ${binding.name}: ${z.prettifyError(read.error)}`)
  },
  env: (binding) => {
    const { namespace_id: namespace, simple } = RateLimit.parse(binding)
    return { type: 'rate-limit', namespace, simple }
  },
}
