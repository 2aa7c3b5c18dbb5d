import type { ManifestIssue } from './manifest.ts'
import type { CollectionDeclaration, Manifest, MigrationDeclaration } from './manifest-schema.ts'

type MigrationStep = MigrationDeclaration['steps'][number]

/** Returns the changes between two versions of `app.json` that need an entry in `migrations` and have none. */
export function migrationIssues(before: Manifest, after: Manifest): ManifestIssue[] {
  const fresh = after.migrations.slice(before.migrations.length)
  return [
    ...before.migrations.flatMap((entry, i) =>
      JSON.stringify(after.migrations[i]) === JSON.stringify(entry)
        ? []
        : [{ path: `migrations.${i}`, message: `${entry.id} is on main and must stay as it is` }],
    ),
    ...Object.entries(before.collections).flatMap(([name, collection]) =>
      collectionIssues({ name, before: collection, manifest: after, fresh, id: nextId(after) }),
    ),
  ]
}

function collectionIssues({
  name,
  before,
  manifest,
  fresh,
  id,
}: {
  name: string
  before: CollectionDeclaration
  manifest: Manifest
  fresh: MigrationDeclaration[]
  id: string
}): ManifestIssue[] {
  const steps = stepsFor(fresh, name)
  const after = manifest.collections[name]
  const missing = (path: string, what: string, step: MigrationStep): ManifestIssue => ({
    path,
    message: `${what}; add to migrations: ${JSON.stringify({ id, collection: name, steps: [step] })}`,
  })
  if (after === undefined) {
    const isTold = steps.some(
      (step) => step.field === undefined && (step.op === 'drop' || step.op === 'rename'),
    )
    return isTold ? [] : [missing(`collections.${name}`, 'was removed', { op: 'drop' })]
  }
  if (after.partition !== before.partition) {
    return [{ path: `collections.${name}.partition`, message: 'cannot change; make a new collection' }]
  }
  return Object.entries(before.fields)
    .flatMap(([field, old]) => {
      const path = `collections.${name}.fields.${field}`
      const told = (...ops: MigrationStep['op'][]) =>
        steps.some((step) => step.field === field && ops.includes(step.op))
      const now = after.fields[field]
      if (now === undefined)
        return told('drop', 'rename') ? [] : [missing(path, 'was removed', { op: 'drop', field })]
      if (now.type !== old.type && !told('convert')) {
        return [
          missing(path, `changed from ${old.type} to ${now.type}`, { op: 'convert', field, as: now.type }),
        ]
      }
      if (!isSameTarget(old.ref, now.ref, fresh) && !told('convert')) {
        const what = `refers to ${now.ref ?? ''} now, and values that are no ids of it are lost`
        return [missing(path, what, { op: 'convert', field, as: now.type })]
      }
      const becameRequired = now.required === true && old.required !== true
      return becameRequired && !told('default')
        ? [missing(path, 'became required', { op: 'default', field, value: '…' })]
        : []
    })
    .concat(addRequiredFieldStep(name, before, after, steps, missing))
}

/** Returns whether the ids in a field stay valid: it refers to the same collection, perhaps renamed, or no longer to any. */
const isSameTarget = (
  old: string | undefined,
  now: string | undefined,
  fresh: MigrationDeclaration[],
): boolean =>
  now === undefined ||
  old === now ||
  (old !== undefined &&
    stepsFor(fresh, old).some((step) => step.op === 'rename' && step.field === undefined && step.to === now))

/** Returns an issue for each new required field for which no migration gives the existing records a value. */
function addRequiredFieldStep(
  name: string,
  before: CollectionDeclaration,
  after: CollectionDeclaration,
  steps: MigrationStep[],
  missing: (path: string, what: string, step: MigrationStep) => ManifestIssue,
): ManifestIssue[] {
  return Object.entries(after.fields).flatMap(([field, declaration]) => {
    if (before.fields[field] !== undefined || declaration.required !== true) return []
    const isFilled = steps.some(
      (step) =>
        (step.op === 'default' && step.field === field) || (step.op === 'rename' && step.to === field),
    )
    const step: MigrationStep = { op: 'default', field, value: declaration.default ?? '…' }
    return isFilled ? [] : [missing(`collections.${name}.fields.${field}`, 'is new and required', step)]
  })
}

const stepsFor = (migrations: MigrationDeclaration[], collection: string): MigrationStep[] =>
  migrations
    .filter((migration) => migration.collection === collection)
    .flatMap((migration) => migration.steps)

const nextId = (manifest: Manifest): string =>
  `${String(manifest.migrations.length + 1).padStart(4, '0')}-change`
