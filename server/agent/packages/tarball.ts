import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { PackageRefusal } from './resolve.ts'
import { hasCode } from '../../db/embedded/system-error.ts'

export interface PackageFile {
  path: string
  bytes: Uint8Array
}

const UNPACKED_BYTES_MAX = 80_000_000
/** Source text compresses to between a quarter and a tenth. An archive beyond this ratio was made to fill memory. */
const COMPRESSION_RATIO_MAX = 60
const ENTRIES_MAX = 20_000
const TAR_BLOCK_BYTES = 512
const PATH_CHARS_MAX = 300
/** Linux and macOS refuse longer names of files. */
const NAME_BYTES_MAX = 255

/**
 * The files of a package that are bundled, type-checked or required by a licence. Others, such as source maps, documents and TypeScript
 * sources, are skipped.
 */
const KEPT_FILES =
  /(?:\.(?:[cm]?js|json|css|d\.[cm]?ts|svg|png|gif|woff2?)|(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*)$/i
const NATIVE_FILES = /(?:\.(?:node|dll|so|dylib|exe)|(?:^|\/)binding\.gyp)$/i
const NATIVE_STARTS = ['7f454c46', 'cffaedfe', 'cafebabe', '4d5a9000']
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/**
 * Returns the files of a package's archive that an app can use, in memory. Writes and runs nothing. Throws `PackageRefusal` when the
 * checksum is wrong, when the archive is damaged, too large or has a path outside its folder, and when the package contains a native
 * binary or a link, or runs a script at installation.
 */
export function readTarball(label: string, archive: Uint8Array, integrity: string): PackageFile[] {
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (found !== integrity)
    throw new PackageRefusal(
      `${label} is not the package that was locked (its checksum differs); remove it and add it again, or ask who runs the registry.`,
    )
  const files = new Map<string, Uint8Array>()
  for (const { path, bytes } of readEntries(label, unzip(label, archive))) {
    const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
    if (NATIVE_FILES.test(path) || NATIVE_STARTS.includes(start))
      throw new PackageRefusal(
        `${label} holds a native binary (${path}), which no browser or worker runs; choose a package of plain JavaScript.`,
      )
    if (KEPT_FILES.test(path)) files.set(path, bytes)
  }
  refuseScripts(label, files.get('package.json'))
  if ([...files.keys()].some((path) => foldersOf(path).some((folder) => files.has(folder))))
    throw damaged(label)
  return [...files].map(([path, bytes]) => ({ path, bytes }))
}

const foldersOf = (path: string): string[] =>
  path.split('/').map((_segment, depth, segments) => segments.slice(0, depth).join('/'))

const damaged = (label: string): PackageRefusal =>
  new PackageRefusal(`${label} is a damaged archive; choose another version.`)

const PackageJson = z.object({ scripts: z.unknown().optional() })

function refuseScripts(label: string, manifest: Uint8Array | undefined): void {
  let scripts: unknown
  try {
    ;({ scripts } = PackageJson.parse(JSON.parse(Buffer.from(manifest ?? []).toString())))
  } catch {
    throw new PackageRefusal(`${label} has no readable package.json; choose another package.`)
  }
  if (hasInstallScripts(scripts)) throw scriptRefusal(label)
}

/** Returns whether the `scripts` of a package.json contain a script that npm runs on installation. */
export const hasInstallScripts = (scripts: unknown): boolean =>
  typeof scripts === 'object' && scripts !== null && INSTALL_SCRIPTS.some((name) => name in scripts)

export const scriptRefusal = (label: string): PackageRefusal =>
  new PackageRefusal(
    `${label} runs a script when it is installed, which never happens here; choose a package without one.`,
  )

function unzip(label: string, archive: Uint8Array): Buffer {
  const limit = Math.min(UNPACKED_BYTES_MAX, Math.max(archive.byteLength * COMPRESSION_RATIO_MAX, 1_000_000))
  try {
    return gunzipSync(archive, { maxOutputLength: limit })
  } catch (error) {
    if (!hasCode(error, 'ERR_BUFFER_TOO_LARGE'))
      throw new PackageRefusal(`${label} is not a readable archive; choose another version.`)
    throw new PackageRefusal(
      limit === UNPACKED_BYTES_MAX
        ? `${label} has more than ${UNPACKED_BYTES_MAX / 1e6} MB unpacked; choose a smaller package.`
        : `${label} unpacks to more than ${COMPRESSION_RATIO_MAX} times its size, as only an attack does; choose another package.`,
    )
  }
}

/** Yields the files of a tar archive (POSIX ustar with pax headers and GNU long names), without their first folder. */
function* readEntries(label: string, tar: Buffer): Generator<PackageFile> {
  let longPath: string | null = null
  let count = 0
  for (let at = 0; at + TAR_BLOCK_BYTES <= tar.length;) {
    const head = tar.subarray(at, at + TAR_BLOCK_BYTES)
    if (head[0] === 0) return
    const size = entrySizeBytes(head)
    const type = String.fromCharCode(head[156] ?? 0)
    const bytes = tar.subarray(at + TAR_BLOCK_BYTES, at + TAR_BLOCK_BYTES + size)
    if (!Number.isSafeInteger(size) || size < 0 || bytes.length < size) throw damaged(label)
    if (++count > ENTRIES_MAX)
      throw new PackageRefusal(`${label} has more than ${ENTRIES_MAX} files; choose a smaller package.`)
    at += TAR_BLOCK_BYTES + Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
    if (type === 'x') longPath = paxPath(bytes) ?? longPath
    else if (type === 'L') longPath = headerText(bytes)
    else if (type !== 'g') {
      const path = safePath(label, longPath ?? shortPath(head))
      longPath = null
      if (type === '5') continue
      if (type !== '0' && type !== '\0')
        throw new PackageRefusal(
          `${label} holds a link or a device (${path}), which could lead out of its folder; choose another package.`,
        )
      if (path !== '') yield { path, bytes }
    }
  }
}

const headerText = (bytes: Uint8Array): string => Buffer.from(bytes).toString().replace(/\0.*$/s, '')

const entrySizeBytes = (head: Buffer): number =>
  Number.parseInt(headerText(head.subarray(124, 136)).trim() || '0', 8)

function shortPath(head: Buffer): string {
  const prefix = headerText(head.subarray(257, 262)) === 'ustar' ? headerText(head.subarray(345, 500)) : ''
  const name = headerText(head.subarray(0, 100))
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Returns the path of a pax header. Each record of the header is a line like `30 path=package/index.js`. */
const paxPath = (bytes: Uint8Array): string | undefined =>
  /^\d+ path=([^\n]*)$/m.exec(Buffer.from(bytes).toString())?.[1]

function safePath(label: string, path: string): string {
  const segments = path.replace(/\/$/, '').split('/')
  const isSafe =
    !path.startsWith('/') &&
    path.length <= PATH_CHARS_MAX &&
    !/[\\\0:]/.test(path) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isSafe)
    throw new PackageRefusal(
      `${label} holds a file outside its own folder (${path.slice(0, 80)}); choose another package.`,
    )
  if (segments.some((segment) => Buffer.byteLength(segment) > NAME_BYTES_MAX)) throw damaged(label)
  return segments.slice(1).join('/')
}
