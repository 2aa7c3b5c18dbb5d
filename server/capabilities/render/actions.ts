import { requireBrowser } from '../../cloudflare/browser.ts'
import type { CapabilityActions } from '../capability-actions.ts'

export const actions: CapabilityActions = { requireProduct: requireBrowser }
