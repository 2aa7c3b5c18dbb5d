import { fieldProblem } from '@slipway/runtime/data/fields.ts'
import type { ManifestIssue } from './manifest.ts'
import type { CollectionDeclaration, Manifest, MigrationDeclaration } from './manifest-schema.ts'

type MigrationStep = MigrationDeclaration['steps'][number]

/** Returns the changes between two versions of `app.json` whose entry in `migrations` is missing, and the mistakes in new entries. */
export function migrationIssues(before: Manifest, after: Manifest): ManifestIssue[] {
  const fresh = after.migrations.slice(before.migrations.length)
  const nextId = newIds(after)
  return [
    ...before.migrations.flatMap((entry, i) =>
      JSON.stringify(after.migrations[i]) === JSON.stringify(entry)
        ? []
        : [{ path: `migrations.${i}`, message: `${entry.id} is on main and must stay as it is` }],
    ),
    ...fresh.flatMap((entry, i) => entryIssues(entry, before.migrations.length + i, after)),
    ...Object.entries(before.collections).flatMap(([name, collection]) => {
      const steps = stepsFor(fresh, name)
      const change = { before: collection, manifest: after, fresh, nextId }
      const at = steps.findIndex((step) => step.op === 'rename' && step.field === undefined)
      const to = steps[at]?.to
      const isRenamed =
        to !== undefined && after.collections[to] !== undefined && before.collections[to] === undefined
      if (after.collections[name] !== undefined || !isRenamed)
        return collectionIssues({ ...change, name, steps })
      // Steps with the old name after the rename change only the old records, which stay for an older release.
      return collectionIssues({
        ...change,
        name: to,
        steps: [...steps.slice(0, at), ...stepsFor(fresh, to)],
      })
    }),
  ]
}

/**
 * Returns the mistakes in a new entry because of which the app would skip the entry or give records a value that the
 * field does not allow.
 */
function entryIssues(entry: MigrationDeclaration, i: number, manifest: Manifest): ManifestIssue[] {
  const { id, collection, steps } = entry
  const declared = manifest.collections[collection]?.fields
  const isTwin = manifest.migrations.findIndex((other) => other.id === id) < i
  const twin = {
    path: `migrations.${i}.id`,
    message: `${id} is there twice, and an app applies each id once`,
  }
  return [
    ...(isTwin ? [twin] : []),
    ...steps.flatMap((step, n) => {
      const problem = stepProblem(step, declared) ?? renameProblem(step, collection, manifest)
      return problem === null ? [] : [{ path: `migrations.${i}.steps.${n}`, message: problem }]
    }),
  ]
}

/** `fields` are the collection's fields after the change; undefined when the collection is removed or renamed. */
function stepProblem(
  step: MigrationStep,
  fields: CollectionDeclaration['fields'] | undefined,
): string | null {
  const { op, field, to, value, as } = step
  if (op === 'rename' && to === undefined) return 'a rename needs "to", the new name'
  if (op === 'convert' && as === undefined) return 'a convert needs "as", the new type'
  if (field === undefined) return op === 'rename' || op === 'drop' ? null : `a ${op} needs "field"`
  if (op !== 'default') return null
  if (value === undefined) return 'a default needs "value"'
  const declared = fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined
  const problem = declared === undefined ? null : fieldProblem(declared, value)
  return problem === null ? null : `the value of ${field} ${problem}`
}

/** Values under a new name that neither the manifest nor another step has would be lost. */
function renameProblem(
  { op, field, to = '' }: MigrationStep,
  collection: string,
  { collections, migrations }: Manifest,
): string | null {
  if (op !== 'rename') return null
  if (field === undefined) {
    const isKnown = Object.hasOwn(collections, to) || stepsFor(migrations, to).length > 0
    return isKnown ? null : `there is no collection ${to}`
  }
  const fields = collections[collection]?.fields
  if (fields === undefined || Object.hasOwn(fields, to)) return null
  const isKnown = stepsFor(migrations, collection).some((step) => step.field === to)
  return isKnown ? null : `there is no field ${to}`
}

function collectionIssues({
  name,
  before,
  manifest,
  fresh,
  steps,
  nextId,
}: {
  name: string
  before: CollectionDeclaration
  manifest: Manifest
  fresh: MigrationDeclaration[]
  /** The steps of `fresh` for this collection. */
  steps: MigrationStep[]
  nextId: () => string
}): ManifestIssue[] {
  const after = manifest.collections[name]
  const missing = (path: string, what: string, step: MigrationStep): ManifestIssue => ({
    path,
    message: `${what}; add to migrations: ${JSON.stringify({ id: nextId(), collection: name, steps: [step] })}`,
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
      const isConverted =
        steps.findLast((step) => step.field === field && step.op === 'convert')?.as === now.type
      if (now.type !== old.type && !isConverted) {
        return [
          missing(path, `changed from ${old.type} to ${now.type}`, { op: 'convert', field, as: now.type }),
        ]
      }
      if (!isSameTarget(old.ref, now.ref, fresh) && !isConverted) {
        const what = `refers to ${now.ref ?? ''} now, and values that are no ids of it are lost`
        return [missing(path, what, { op: 'convert', field, as: now.type })]
      }
      const becameRequired = now.required === true && old.required !== true
      return becameRequired && !told('default')
        ? [missing(path, 'became required', { op: 'default', field, value: now.default ?? '…' })]
        : []
    })
    .concat(addRequiredFieldStep(name, before, after, steps, missing))
}

/**
 * Returns whether the ids in a field stay valid: the field refers to the same collection, which may be renamed, or to
 * no collection any more.
 */
const isSameTarget = (
  old: string | undefined,
  now: string | undefined,
  fresh: MigrationDeclaration[],
): boolean =>
  now === undefined ||
  old === now ||
  (old !== undefined &&
    stepsFor(fresh, old).some((step) => step.op === 'rename' && step.field === undefined && step.to === now))

/** Returns an issue for each new required field whose value in existing records no migration sets. */
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

/** Returns a function that returns ids for new entries. No entry has such an id yet, and no id is returned twice. */
function newIds({ migrations }: Manifest): () => string {
  const taken = new Set(migrations.map(({ id }) => id))
  let count = migrations.length
  return () => {
    let id = ''
    do id = `${String(++count).padStart(4, '0')}-change`
    while (taken.has(id))
    return id
  }
}
