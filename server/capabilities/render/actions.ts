import { requireBrowser } from '../../cloudflare/products/browser.ts'
import type { CapabilityActions } from '../capability-actions.ts'

export const actions: CapabilityActions = { requireProduct: requireBrowser }
