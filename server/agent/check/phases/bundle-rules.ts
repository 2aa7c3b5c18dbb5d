import { gzipSync } from 'node:zlib'
import type { AppBundle } from '../../bundle/bundle.ts'
import { type CheckError, errorAt } from '../../check-report.ts'
import { findKnownSecrets } from './secrets.ts'

const GZIP_BYTES_MAX = 1_000_000

/** Finds faults that only the finished bundle shows: a size above the cloud's limit, or a credential that bundling has assembled. */
export function inspectBundle(tree: ReadonlyMap<string, string>, bundle: AppBundle): CheckError[] {
  const errors: CheckError[] = []
  const report = (code: string, message: string, file = '') =>
    errors.push(errorAt(tree, { phase: 'bundle', file, code, message }))

  const server = Object.values(bundle.server.modules).map((code) => Buffer.from(code))
  const web = Object.values(bundle.web).map(({ bytes }) => bytes)
  for (const [name, parts] of [
    ['server', server],
    ['web', web],
  ] as const) {
    const size = gzipBytes(parts)
    if (size > GZIP_BYTES_MAX)
      report('too_large', `The ${name} bundle has ${size} bytes gzipped; ${GZIP_BYTES_MAX} fit.`)
  }
  for (const [path, { bytes, contentType }] of Object.entries(bundle.web)) {
    if (!/javascript|json|html|css|text/.test(contentType)) continue
    for (const { message } of findKnownSecrets(Buffer.from(bytes).toString('utf8'))) {
      report('secret_in_bundle', `${message} It is in the published file ${path}.`, path)
    }
  }
  return errors
}

/** Returns the compressed size. Compressing costs time, so a bundle that is small enough uncompressed is not compressed. */
function gzipBytes(parts: readonly Uint8Array[]): number {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return size <= GZIP_BYTES_MAX ? size : gzipSync(Buffer.concat(parts), { level: 6 }).length
}
