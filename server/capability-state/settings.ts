import * as z from 'zod'
import { validate } from '../http/validate.ts'
import type { Capability } from '../capability-declaration/capability.ts'

export type Settings = Record<string, unknown>

/** Returns the stored settings, with defaults for settings that were never stored. */
export const readSettings = (declared: Capability, stored: string | undefined): Settings =>
  declared.settings.parse(stored === undefined ? {} : JSON.parse(stored))

/** Merges a change over the stored settings. Throws `invalid_request` with a message that names `settings.<field>`. */
export function mergeSettings(
  declared: Capability,
  stored: JsonText<Settings> | undefined,
  given: Settings | undefined,
): Settings {
  const before = stored === undefined ? {} : JSON.parse(stored)
  const settings = { ...before, ...given }
  return validate(z.object({ settings: declared.settings }), { settings }, 'settings').settings
}
