import { fieldProblem } from '@slipway/runtime/data/fields.ts'
import type { ManifestIssue } from './manifest.ts'
import type { Manifest } from './manifest-schema.ts'

/**
 * Returns an issue for each default that the app would refuse whenever a record is created without the field. `readManifest` compares only
 * types, because versions with such a default are stored and must stay readable.
 */
export function defaultIssues({ collections }: Manifest): ManifestIssue[] {
  return Object.entries(collections).flatMap(([name, { fields }]) =>
    Object.entries(fields).flatMap(([key, field]) => {
      if (field.default === undefined) return []
      const problem = fieldProblem(field, field.default)
      const message = `the app would refuse this default: the value of ${key} ${problem}`
      return problem === null ? [] : [{ path: `collections.${name}.fields.${key}.default`, message }]
    }),
  )
}
