import type { Manifest } from '../../kernel/manifest.ts'
import { danglingReferrers } from './links.ts'
import { refsOf, withoutReferences } from './refs.ts'
import type { PartitionStore } from './store.ts'

/**
 * Repairs dangling references: clears ids of records that do not exist. A reference field that was declared after its records were written
 * may contain such ids, and a migration may write such ids. Each field is checked once, and all fields are checked again after a migration
 * (`isMigrated`).
 */
export function sweepRefs(
  store: PartitionStore,
  manifest: Manifest,
  { partition, at, isMigrated }: { partition: string; at: string; isMigrated: boolean },
): void {
  const refs = refsOf(manifest, partition)
  const nameOf = ({ collection, field, target }: (typeof refs)[number]) => `${collection}.${field}>${target}`
  const swept = JSON.parse(store.meta('refs') ?? '[]')
  for (const ref of refs) {
    if (!isMigrated && swept.includes(nameOf(ref))) continue
    for (const lost of danglingReferrers(store, ref)) {
      const { row } = withoutReferences(lost, ref, (id) => !store.holds(ref.target, id), at)
      store.write(ref.collection, row)
      store.append('put', ref.collection, row, at)
    }
  }
  store.setMeta('refs', JSON.stringify(refs.map(nameOf)))
}
