import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { LockedPackage } from '../../agent/source/packages-file.ts'

/** A package of the test registry: its manifest, its files, and how it differs from a regular package. */
export interface StoredPackage {
  name: string
  version: string
  manifest?: Record<string, unknown>
  files?: Record<string, string>
  /** Archive entries that no regular package has, such as links. */
  entries?: TarEntry[]
  publishedAt?: Date
  /** The checksum that the registry claims for the archive. Defaults to the correct checksum. */
  integrity?: string
}

export interface TarEntry {
  path: string
  bytes?: Uint8Array
  /** '0' is a file, '1' a hard link, '2' a symbolic link, '5' a folder, 'x' a pax header, 'L' the long name of the next entry. */
  type?: string
}

export interface RegistryStandIn {
  url: string
  /** The paths of all requests, the oldest first. */
  requests: string[]
  entryOf(name: string): LockedPackage
  /** Called with each path before the response is sent, so that a test can wait or act at that moment. */
  onRequest: (path: string) => void | Promise<void>
  close(): Promise<void>
}

/** Starts an npm registry for tests on a port of this machine. */
export async function npmRegistry(packages: readonly StoredPackage[]): Promise<RegistryStandIn> {
  const stored = packages.map((one) => ({ ...one, archive: archiveOf(one) }))
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1))
    standIn.requests.push(path)
    void Promise.resolve(standIn.onRequest(path)).then(() => {
      const archive = stored.find((one) => path === tarballPath(one))?.archive
      const named = stored.filter(({ name }) => name === path)
      if (archive !== undefined) return response.end(archive)
      if (named.length > 0) return response.end(JSON.stringify(packumentOf(named)))
      response.writeHead(404).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const standIn: RegistryStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests: [],
    onRequest: () => {},
    entryOf(name) {
      const one = stored.find((item) => item.name === name)
      if (one === undefined) throw new Error(`the stand-in has no ${name}`)
      const { dependencies } = (one.manifest ?? {}) as { dependencies?: Record<string, string> }
      return {
        version: one.version,
        integrity: integrityOf(one.archive),
        unpackedBytes: 1000,
        ...(dependencies && { dependencies }),
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return standIn
}

/** Returns the checksum of an archive as a registry states it. */
export const integrityOf = (archive: Uint8Array) =>
  `sha512-${createHash('sha512').update(archive).digest('base64')}`

const tarballPath = ({ name, version }: StoredPackage) =>
  `${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`

function packumentOf(versions: (StoredPackage & { archive: Uint8Array })[]) {
  const old = new Date('2020-01-01T00:00:00Z')
  return {
    name: versions[0]?.name,
    'dist-tags': {},
    versions: Object.fromEntries(
      versions.map((one) => [
        one.version,
        {
          ...manifestOf(one),
          dist: { integrity: one.integrity ?? integrityOf(one.archive), unpackedSize: 1000 },
        },
      ]),
    ),
    time: Object.fromEntries(versions.map((one) => [one.version, (one.publishedAt ?? old).toISOString()])),
  }
}

const manifestOf = ({ name, version, manifest }: StoredPackage) => ({
  name,
  version,
  main: 'index.js',
  types: 'index.d.ts',
  ...manifest,
})

function archiveOf(one: StoredPackage): Buffer {
  const files = { 'package.json': JSON.stringify(manifestOf(one)), ...one.files }
  const entries: TarEntry[] = Object.entries(files).map(([path, text]) => ({
    path: `package/${path}`,
    bytes: Buffer.from(text),
  }))
  return packArchive([...entries, ...(one.entries ?? [])])
}

export const packArchive = (entries: readonly TarEntry[]): Buffer =>
  gzipSync(Buffer.concat(entries.map(tarEntry)), { level: 1 })

function tarEntry({ path, bytes = new Uint8Array(), type = '0' }: TarEntry): Buffer {
  const head = Buffer.alloc(512)
  head.write(path, 0, 100)
  head.write('0000644\0', 100)
  head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('        ', 148)
  head.write(type, 156)
  if (type === '1' || type === '2') head.write('/etc/passwd', 157)
  head.write('ustar\0', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
