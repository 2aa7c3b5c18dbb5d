import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, '../../console/dist')

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

/** Returns the gzip bytes that a browser loads before a screen is shown: its chunks, their static imports, and their styles. */
export function firstView(...entries: string[]): number {
  return [...builtFilesOf(entries)].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length,
    0,
  )
}

/** Returns the number of files that a browser loads before a screen is shown. */
export const firstFiles = (...entries: string[]): number => builtFilesOf(entries).size

/** Returns the built files of these entries, from `.vite/manifest.json`. */
function builtFilesOf(entries: string[]): Set<string> {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const files = new Set<string>()
  const addChunk = (key: string) => {
    const chunk = manifest[key]
    assert.ok(chunk, `${key} is in the manifest`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const imported of chunk.imports ?? []) addChunk(imported)
  }
  for (const entry of entries) addChunk(entry)
  return files
}
