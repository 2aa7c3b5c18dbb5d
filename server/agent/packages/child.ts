import { serveJobs } from '../children/serve.ts'
import { outboundFetch } from '../../lib/outbound.ts'
import type { RefusableResult, PackageJobs } from './jobs.ts'
import { Registry } from './registry.ts'
import { PackageRefusal } from './resolve.ts'
import { readTarball } from './tarball.ts'

/** The registry's metadata of a package with many versions has 30 MB. */
const ANSWER_BYTES_MAX = 60_000_000
const REQUEST_MS_MAX = 60_000

async function withRegistry<T>(
  { registry, allow }: { registry: string; allow: readonly string[] },
  act: (registry: Registry) => Promise<T>,
): Promise<RefusableResult<T>> {
  const fetch = outboundFetch({ allow, maxBytes: ANSWER_BYTES_MAX, totalTimeoutMs: REQUEST_MS_MAX })
  try {
    return await act(new Registry(registry, fetch))
  } catch (error) {
    if (error instanceof PackageRefusal) return { refused: error.message }
    throw error
  } finally {
    await fetch.close()
  }
}

serveJobs<PackageJobs>(
  {
    pick: (given) => withRegistry(given, (registry) => registry.pick(given.name, given.range, given.now)),
    fetch: (given) =>
      withRegistry(given, async (registry) => {
        const { name, version, integrity } = given
        const archive = await registry.download(name, version)
        return { files: readTarball(`${name} ${version}`, archive, integrity) }
      }),
  },
  { folder: process.argv[2] ?? process.cwd(), mustRetire: ({ ok }) => !ok },
)
