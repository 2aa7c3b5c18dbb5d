import * as z from 'zod'
import { curatedOf } from '../agent/packages/curated.ts'
import { readPackagesFile } from '../agent/source/packages-file.ts'
import type { CallerContext } from '../endpoint.ts'
import { readSource } from './source.ts'

export const AppPackage = z
  .object({
    name: z.string(),
    version: z.string(),
    sizeBytes: z.number().int().describe('Unpacked; an app contains only what it imports.'),
    purpose: z.string().nullable().describe('null for a package that is not curated.'),
    license: z.string().nullable(),
  })
  .meta({ id: 'AppPackage' })

export const AppPackages = z
  .object({
    items: z.array(AppPackage),
    dependencies: z.number().int().describe('How many packages these need beyond themselves.'),
  })
  .meta({ id: 'AppPackages' })

/** Returns the newest version's packages, without the packages that every app has. */
export async function listPackages(
  ctx: CallerContext<'db'>,
  projectId: string,
): Promise<z.infer<typeof AppPackages>> {
  const source = await readSource(ctx, projectId)
  const file = readPackagesFile(new Map(Object.entries(source?.files ?? {})))
  // Packages that only contain types are not listed, because they are used for the type check only. They are counted as
  // dependencies.
  const names = Object.entries(file?.packages ?? {}).filter(([name]) => !name.startsWith('@types/'))
  const items = names.map(([name, version]) => {
    const { unpackedBytes = 0, license = null } = file?.lock[`node_modules/${name}`] ?? {}
    return { name, version, sizeBytes: unpackedBytes, purpose: curatedOf(name)?.purpose ?? null, license }
  })
  return { items, dependencies: Object.keys(file?.lock ?? {}).length - items.length }
}
