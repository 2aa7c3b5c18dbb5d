import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../lib.ts'
import { reducedContract } from './reduced-contract.ts'

/**
 * One change in the report of `redocly diff`. `path` is a JSON pointer; for a shared schema, the pointer leads through the first operation
 * that uses the schema.
 */
interface Change {
  path: string
  typeName: string
  kind: 'added' | 'removed' | 'modified'
  impact: 'major' | 'minor' | 'patch'
  property?: string
  verdicts: { message: string }[]
  base?: { value?: unknown }
  revision?: { value?: unknown }
}

interface Operation {
  security?: Record<string, string[]>[]
  parameters?: { name: string }[]
}

/** An OpenAPI document, as far as this file reads it. */
export interface Contract {
  paths: Record<string, Record<string, Operation>>
}

/** Breaking changes since the last release, each with the reason that justifies it. */
export type ApprovedChanges = Record<string, string>

/**
 * Returns a line for each change that may break a client of the first document, or that changes who may call an operation. The rules
 * are in docs/decisions/0103-a-released-api-stays-compatible.md.
 */
export async function breakingChanges(released: Contract, current: Contract): Promise<string[]> {
  const lines = (await compareContracts(released, current)).flatMap((change) => {
    const message = changeMessage(change)
    return message === null
      ? []
      : [`${placeOf(change.path, change.kind === 'removed' ? released : current)}: ${message}`]
  })
  return [...accessChanges(released, current), ...lines].toSorted()
}

/** Returns a line for each change that is not approved, and for each approval without a reason or without a change. */
export function unapproved(changes: string[], approved: ApprovedChanges): string[] {
  return [
    ...changes
      .filter((change) => approved[change] === undefined)
      .map((change) => `Breaks clients of the last release: ${change}`),
    ...Object.entries(approved).flatMap(([change, reason]) => {
      if (!changes.includes(change)) return [`Approved, but there is no such change: ${change}`]
      return reason.trim() === '' ? [`Approved without a reason: ${change}`] : []
    }),
  ]
}

// Compares the documents without descriptions, examples and other texts: after a change of such a text, `redocly` would compare parts that
// do not belong together.
async function compareContracts(released: Contract, current: Contract): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-contracts-'))
  try {
    const files = [join(folder, 'released.json'), join(folder, 'current.json')]
    await writeFile(files[0] ?? '', reducedContract(released))
    await writeFile(files[1] ?? '', reducedContract(current))
    const { stdout } = await promisify(execFile)(
      join(ROOT, 'node_modules/.bin/redocly'),
      ['diff', ...files, '--config=docs/api/redocly.yaml', '--format=json', '--fail-on=none'],
      { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 },
    )
    return (JSON.parse(stdout) as { changes: Change[] }).changes
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Returns what breaks a client, or null. `redocly` rates most of these changes as major. This function also finds a few breaking changes of
 * requests that `redocly` rates as harmless.
 */
function changeMessage({
  path,
  typeName,
  kind,
  impact,
  property,
  verdicts,
  base,
  revision,
}: Change): string | null {
  if (typeName === 'SecurityRequirement') return null
  if (impact === 'major') return verdicts.map(({ message }) => message).join(' ')
  const isInRequest = /\/(requestBody|parameters)\//.test(path)
  if (typeName === 'Parameter' && property === 'name') return 'It was renamed.'
  if (isInRequest && typeName === 'Schema' && kind === 'removed') return 'It is no longer read.'
  if (isInRequest && property === 'default')
    return `Its default changed from ${JSON.stringify(base?.value)} to ${JSON.stringify(revision?.value)}.`
  const isRequired = (revision?.value as { required?: boolean } | undefined)?.required === true
  return typeName === 'RequestBody' && kind === 'added' && isRequired ? 'It is required now.' : null
}

/** Returns a place such as `GET /api/v1/projects parameters/limit/schema`, without the steps `content/<type>/schema` of a body. */
function placeOf(pointer: string, { paths }: Contract): string {
  const [top, path = '', method = '', ...rest] = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (top !== 'paths') return pointer.slice('#/'.length)
  if (rest[0] === 'parameters')
    rest[1] = paths[path]?.[method]?.parameters?.[Number(rest[1])]?.name ?? rest[1] ?? ''
  const content = rest.indexOf('content')
  if (content >= 0) rest.splice(content, 'content/type/schema'.split('/').length)
  return [method.toUpperCase(), path, rest.join('/')].filter(Boolean).join(' ')
}

function accessChanges(released: Contract, current: Contract): string[] {
  return Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const next = current.paths[path]?.[method]
      if (next === undefined || accessOf(operation) === accessOf(next)) return []
      return [
        `${method.toUpperCase()} ${path}: Access changed from ${accessOf(operation)} to ${accessOf(next)}.`,
      ]
    }),
  )
}

/** Returns a text such as `key (projects:read) or session`. */
function accessOf({ security = [] }: Operation): string {
  if (security.length === 0) return 'public'
  return security
    .flatMap((requirement) => Object.entries(requirement))
    .map(([scheme, roles]) => (roles.length === 0 ? scheme : `${scheme} (${roles.join(', ')})`))
    .join(' or ')
}
