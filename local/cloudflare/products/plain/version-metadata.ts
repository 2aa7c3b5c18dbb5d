import type { PlannedWorker } from '../../runtime/plan.ts'
import type { BindingKind } from '../binding.ts'

export const versionMetadata: BindingKind = {
  types: ['version_metadata'],
  // Miniflare's own type answers a random id; apps compare this one with the API's.
  env: (_binding, worker) => ({ type: 'json', value: describe(worker) }),
}

function describe({ version, content }: PlannedWorker) {
  return {
    id: version?.id ?? '',
    tag: content.annotations['workers/tag'] ?? '',
    timestamp: new Date(version?.createdAt ?? 0).toISOString(),
  }
}
