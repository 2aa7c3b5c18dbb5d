import { maxSatisfying, satisfies } from 'semver'
import * as z from 'zod'
import { OutboundError, type OutboundFetch } from '../../lib/outbound.ts'
import { parseJson } from '../../lib/json.ts'
import { LockedPackage, PackageName } from '../source/packages-file.ts'
import { PackageRefusal } from './resolve.ts'
import { hasInstallScripts, scriptRefusal } from './tarball.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'
import { fieldsOf } from '@slipway/runtime/kernel/fields.ts'

/** Most attacks through a registry are found and removed within days, so younger versions are refused. */
const AGE_DAYS_MIN = 7

const Ranges = z.record(z.string(), z.string())
const Version = z.object({
  license: z.string().optional().catch(undefined),
  dependencies: Ranges.optional(),
  peerDependencies: Ranges.optional(),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
  scripts: z.record(z.string(), z.unknown()).optional(),
  hasInstallScript: z.boolean().optional(),
  types: z.unknown().optional(),
  typings: z.unknown().optional(),
  exports: z.unknown().optional(),
  dist: z.object({ integrity: z.string().optional(), unpackedSize: z.number().optional() }),
})
const Packument = z.object({
  versions: z.record(z.string(), z.unknown()),
  time: z.record(z.string(), z.string()),
  'dist-tags': z.record(z.string(), z.string()).default({}),
})

export interface PickedPackage {
  entry: LockedPackage
  hasTypes: boolean
}

/** Reads a registry by npm's protocol. Builds every URL itself and never follows a URL from a response. */
export class Registry {
  readonly #url: string
  readonly #fetch: OutboundFetch

  constructor(url: string, fetch: OutboundFetch) {
    this.#url = url.replace(/\/*$/, '/')
    this.#fetch = fetch
  }

  /** Returns the newest version in the range that is at least `AGE_DAYS_MIN` old. Prefers the version tagged `latest`. */
  async pick(name: string, range: string, now: number): Promise<PickedPackage> {
    const body = await this.#fetchBytes(name.replace('/', '%2f'), `The package ${name}`)
    const packument = Packument.safeParse(parseJson(Buffer.from(body).toString()))
    if (!packument.success)
      throw new PackageRefusal(`The registry does not describe ${name} completely; choose another package.`)
    const { versions, time, 'dist-tags': tags } = packument.data
    const fitting = Object.keys(versions).filter((one) => satisfies(one, range))
    const old = fitting.filter((one) => now - Date.parse(time[one] ?? '') >= AGE_DAYS_MIN * DAY_MS)
    const latest = old.find((one) => one === tags['latest'])
    const version = latest ?? maxSatisfying(old, range)
    if (fitting.length === 0)
      throw new PackageRefusal(`There is no version ${range} of ${name}; ask for one that exists.`)
    if (version === null)
      throw new PackageRefusal(
        `${name} ${fitting.at(-1)} is younger than ${AGE_DAYS_MIN} days; ask for an older version.`,
      )
    return readVersion(name, version, versions[version])
  }

  download(name: string, version: string): Promise<Uint8Array> {
    const file = name.slice(name.indexOf('/') + 1)
    return this.#fetchBytes(`${name}/-/${file}-${version}.tgz`, `${name} ${version}`)
  }

  async #fetchBytes(path: string, label: string): Promise<Uint8Array> {
    const url = `${this.#url}${path}`
    let response: Response
    let body: Uint8Array
    try {
      response = await this.#fetch(url)
      body = new Uint8Array((await (response.ok ? response.arrayBuffer() : response.body?.cancel())) ?? [])
    } catch (error) {
      throw new PackageRefusal(
        `${label} could not be fetched: the registry cannot be reached${fetchErrorReason(error)}; try again later or do without it.`,
      )
    }
    if (response.ok) return body
    const { status } = response
    throw new PackageRefusal(
      status === 404
        ? `The registry does not have ${label.replace(/^T/, 't')}; check the name.`
        : `The registry refused ${label} (${status}); try again later or do without it.`,
    )
  }
}

/** Returns the cause of a failed request: the refusal of `OutboundFetch` or the system error code. `fetch` only says that it failed. */
function fetchErrorReason(error: unknown): string {
  if (error instanceof OutboundError) return ` (${error.message})`
  const { code } = fieldsOf(fieldsOf(error)['cause'])
  return typeof code === 'string' ? ` (${code})` : ''
}

function readVersion(name: string, version: string, described: unknown): PickedPackage {
  const label = `${name} ${version}`
  const incomplete = new PackageRefusal(
    `The registry does not describe ${label} completely; choose another version.`,
  )
  const { data: given } = Version.safeParse(described)
  if (given === undefined) throw incomplete
  if (given.hasInstallScript === true || hasInstallScripts(given.scripts)) throw scriptRefusal(label)
  const { integrity = '', unpackedSize = 0 } = given.dist
  const sha512 = integrity.split(' ').find((one) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(one))
  if (sha512 === undefined)
    throw new PackageRefusal(`${label} has no SHA-512 checksum; choose a newer version.`)
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = given
  const odd = Object.keys({ ...dependencies, ...peerDependencies }).find(
    (one) => !PackageName.safeParse(one).success,
  )
  if (odd !== undefined)
    throw new PackageRefusal(
      `${label} needs a package with the name ${odd.slice(0, 60)}; choose another one.`,
    )
  const optional = Object.keys(peerDependencies).filter((one) => peerDependenciesMeta[one]?.optional === true)
  // Validated, because `packages.json` could not be read again with an invalid entry in its lock.
  const { data: entry } = LockedPackage.safeParse({
    version,
    integrity: sha512,
    unpackedBytes: unpackedSize,
    ...(given.license !== undefined && { license: given.license.slice(0, 200) }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    ...(Object.keys(peerDependencies).length > 0 && { peerDependencies }),
    ...(optional.length > 0 && {
      peerDependenciesMeta: Object.fromEntries(optional.map((one) => [one, { optional: true }])),
    }),
  })
  if (entry === undefined) throw incomplete
  const hasTypes =
    [given.types, given.typings].some((one) => typeof one === 'string') || exportsTypes(given.exports)
  return { hasTypes, entry }
}

const exportsTypes = (exports: unknown): boolean => /\.d\.[cm]?ts"/.test(JSON.stringify(exports) ?? '')
