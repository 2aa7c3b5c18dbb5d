import * as z from 'zod'
import { validate } from '../http/validate.ts'
import { issueProblem } from '../lib/issue-problem.ts'
import type { Capability } from '../capability-declaration/capability.ts'

export type Settings = Record<string, unknown>

/**
 * Returns the stored settings, with defaults for those that were never stored and for those that this version no longer accepts: a release
 * may lower a maximum or remove a choice. `readRejected` returns the latter.
 */
export const readSettings = (declared: Capability, stored: JsonText<Settings> | undefined): Settings =>
  parseSettings(declared.settings, stored)

/** Like `readSettings`, with the type of the schema. */
export function parseSettings<Schema extends z.ZodObject>(
  schema: Schema,
  stored: JsonText<Settings> | undefined,
): z.output<Schema> {
  const values = stored === undefined ? {} : JSON.parse(stored)
  const rejected = new Set(rejectedFields(schema, values).map(({ field }) => field))
  return schema.parse(Object.fromEntries(Object.entries(values).filter(([field]) => !rejected.has(field))))
}

interface RejectedSetting {
  field: string
  value: unknown
  /** Why the value is not accepted, after the path of the rejected part: `providers.0.clientId is required`. */
  problem: string
}

/** Returns the stored settings that this version no longer accepts, each with its stored value. */
export const readRejected = (
  declared: Capability,
  stored: JsonText<Settings> | undefined,
): RejectedSetting[] => rejectedFields(declared.settings, stored === undefined ? {} : JSON.parse(stored))

function rejectedFields(schema: z.ZodObject, values: Settings): RejectedSetting[] {
  const { error } = schema.safeParse(values, { error: issueProblem })
  const rejected = new Map<string, RejectedSetting>()
  for (const { path, message } of error?.issues ?? []) {
    const field = String(path[0])
    if (!rejected.has(field))
      rejected.set(field, { field, value: values[field], problem: `${path.join('.')} ${message}` })
  }
  return [...rejected.values()]
}

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
