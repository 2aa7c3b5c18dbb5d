import * as z from 'zod'
import { ApiFailure } from '../rest/failure.ts'
import type { Namespace } from '../types.ts'

const Classes = z.array(z.string()).default([])
const MigrationStep = z.object({
  new_classes: Classes,
  new_sqlite_classes: Classes,
  deleted_classes: Classes,
  renamed_classes: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  // Not supported: moving a class between workers would move data between processes.
  transferred_classes: z.array(z.unknown()).max(0, 'is not available in the local cloud').optional(),
})
type MigrationStep = z.output<typeof MigrationStep>

/** Durable Object migrations as steps, which lead from the migration tag `old_tag` to `new_tag`. */
export const Migrations = MigrationStep.extend({
  old_tag: z.string().optional(),
  new_tag: z.string().optional(),
  steps: z.array(MigrationStep).optional(),
})
export type Migrations = z.output<typeof Migrations>

/** Durable Object migrations in the newer form: a declaration of the classes that a worker exports. */
export const Exports = z.record(
  z.string(),
  z.looseObject({
    type: z.string().optional(),
    state: z.string().optional(),
    storage: z.string().optional(),
    renamed_to: z.string().optional(),
  }),
)
export type Exports = z.output<typeof Exports>

/** What migrations do to the classes of Durable Objects. `deleted` lists ids of namespaces. */
export interface NamespaceChange {
  created: { className: string; storage: Namespace['storage'] }[]
  renamed: { id: string; className: string }[]
  deleted: string[]
  /** The script's migration tag after the change. */
  tag: string | null
}

function noChange(tag: string | null): NamespaceChange {
  return { created: [], renamed: [], deleted: [], tag }
}

/** Throws when the migrations do not fit the current namespaces. */
export function planMigrations(
  migrations: Migrations | undefined,
  current: { namespaces: Namespace[]; tag: string | null },
): NamespaceChange {
  if (migrations === undefined) return noChange(current.tag)
  if ((migrations.old_tag ?? null) !== current.tag) {
    throw new ApiFailure(
      412,
      10079,
      `Durable Object migration tag precondition failed: the upload expects '${migrations.old_tag ?? ''}', the worker has '${current.tag ?? ''}'.`,
    )
  }
  const classes = new Map(current.namespaces.map(({ className, id }) => [className, { id, isNew: false }]))
  const change = noChange(migrations.new_tag ?? current.tag)
  for (const step of migrations.steps ?? [migrations]) applyStep(step, classes, change)
  return change
}

type ClassMap = Map<string, { id: string; isNew: boolean }>

function applyStep(step: MigrationStep, classes: ClassMap, change: NamespaceChange): void {
  const createClass = (className: string, storage: Namespace['storage']) => {
    if (classes.has(className)) throw migrationFailure(`class '${className}' is already a Durable Object`)
    classes.set(className, { id: '', isNew: true })
    change.created.push({ className, storage })
  }
  for (const name of step.new_classes) createClass(name, 'legacy-kv')
  for (const name of step.new_sqlite_classes) createClass(name, 'sqlite')
  for (const { from, to } of step.renamed_classes) {
    const found = classes.get(from)
    if (found === undefined) throw migrationFailure(`cannot rename class '${from}': there is none`)
    if (classes.has(to)) throw migrationFailure(`cannot rename class '${from}' to '${to}', which exists`)
    classes.delete(from)
    classes.set(to, found)
    const created = change.created.find((other) => other.className === from)
    if (created !== undefined) created.className = to
    else
      change.renamed = [
        ...change.renamed.filter((other) => other.id !== found.id),
        { id: found.id, className: to },
      ]
  }
  for (const name of step.deleted_classes) {
    const found = classes.get(name)
    if (found === undefined) throw migrationFailure(`cannot delete class '${name}': there is none`)
    classes.delete(name)
    if (found.isNew) change.created = change.created.filter((other) => other.className !== name)
    else change.deleted.push(found.id)
    change.renamed = change.renamed.filter((other) => other.id !== found.id)
  }
}

/** Computes the difference between the classes an upload declares and the current namespaces. */
export function planExports(
  exports: Exports,
  current: { namespaces: Namespace[]; tag: string | null },
): NamespaceChange {
  const change = noChange(current.tag)
  for (const [className, item] of Object.entries(exports)) {
    if (item.type !== 'durable-object') continue
    const found = current.namespaces.find((namespace) => namespace.className === className)
    const state = item.state ?? 'created'
    if (state === 'created' && found === undefined && !isRenameTarget(className, exports)) {
      change.created.push({ className, storage: item.storage === 'legacy-kv' ? 'legacy-kv' : 'sqlite' })
    } else if (state === 'deleted' && found !== undefined) {
      change.deleted.push(found.id)
    } else if (state === 'renamed' && found !== undefined && typeof item.renamed_to === 'string') {
      change.renamed.push({ id: found.id, className: item.renamed_to })
    } else if (!['created', 'deleted', 'renamed'].includes(state)) {
      throw migrationFailure(`class '${className}': state '${state}' is not available in the local cloud`)
    }
  }
  const names = applyChange(current.namespaces, change, '', 0).map(({ className }) => className)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw migrationFailure(`two classes would have the name '${twice}'`)
  return change
}

function isRenameTarget(className: string, exports: Exports): boolean {
  return Object.values(exports).some((item) => item.state === 'renamed' && item.renamed_to === className)
}

/** Returns the namespaces after the change; new namespaces have no id yet. */
export function applyChange(
  namespaces: Namespace[],
  change: NamespaceChange,
  scriptId: string,
  at: number,
): Namespace[] {
  const kept = namespaces
    .filter((namespace) => !change.deleted.includes(namespace.id))
    .map((namespace) => ({
      ...namespace,
      className: change.renamed.find((other) => other.id === namespace.id)?.className ?? namespace.className,
    }))
  const created = change.created.map((item, index) => ({
    id: `new-${index}`,
    scriptId,
    createdAt: at,
    ...item,
  }))
  return [...kept, ...created]
}

function migrationFailure(message: string): ApiFailure {
  return new ApiFailure(400, 10074, `Cannot apply the migration: ${message}.`)
}
