import type { Manifest } from '../manifest.ts'
import { directoryOf, type Objects, type Tier } from './objects.ts'

/** The maximum number of cached manifests. Caching one more clears the cache first. */
const CACHED_MANIFESTS_MAX = 100

/**
 * Returns a function that reads a part of a release's manifest from the directory and caches it. That function returns null when the
 * directory does not have the manifest.
 */
export function manifestReader<Part>(partOf: (manifest: Manifest) => Part) {
  const cached = new Map<string, Part>()
  return async ({ objects, tier }: { objects: Objects; tier: Tier }, hash: string): Promise<Part | null> => {
    const name = `${tier} ${hash}`
    const known = cached.get(name)
    if (known !== undefined) return known
    const manifest = await directoryOf(objects, tier).dirManifest(hash)
    if (manifest === null) return null
    if (cached.size >= CACHED_MANIFESTS_MAX) cached.clear()
    const part = partOf(manifest)
    cached.set(name, part)
    return part
  }
}
