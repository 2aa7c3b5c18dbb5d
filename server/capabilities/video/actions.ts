import { requireStream } from '../../cloudflare/products/stream.ts'
import type { CapabilityActions } from '../capability-actions.ts'

export const actions: CapabilityActions = { requireProduct: requireStream }
