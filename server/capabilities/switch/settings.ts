import * as z from 'zod'
import { validate } from '../../http/validate.ts'
import type { Capability } from '../capability.ts'

export type Settings = Record<string, unknown>

/** The settings as they hold: what was stored, and the default of everything else. */
export const readSettings = (declared: Capability, stored: string | undefined): Settings =>
  declared.settings.parse(stored === undefined ? {} : JSON.parse(stored))

/** Puts a change over the stored settings and checks the whole; a refusal names `settings.<field>`. */
export function mergeSettings(
  declared: Capability,
  stored: string | undefined,
  given: Settings | undefined,
): Settings {
  const before = stored === undefined ? {} : (JSON.parse(stored) as Settings)
  const settings = { ...before, ...given }
  return validate(z.object({ settings: declared.settings }), { settings }, 'settings').settings
}
