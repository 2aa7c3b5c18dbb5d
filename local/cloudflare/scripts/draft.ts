import type { ScriptsCloud } from './context.ts'
import { ApiFailure } from '../rest/failure.ts'
import { mergeBindings } from './merge-bindings.ts'
import { planExports, planMigrations } from './migrations.ts'
import type { CurrentScript, VersionDraft } from './publish.ts'
import type { AssetConfig, Binding, StoredAssets, StoredModule, VersionContent } from '../types.ts'
import type { ScriptUpload } from './upload.ts'
import { readUploadedFiles } from './asset-uploads.ts'

/** Stores the modules. The row that references them is written later, so a crash leaves only unreferenced files. */
export async function storeModules(
  cloud: ScriptsCloud,
  accountId: string,
  upload: ScriptUpload,
): Promise<StoredModule[]> {
  return Promise.all(
    upload.modules.map(async ({ name, type, bytes }) => ({
      name,
      type,
      digest: await cloud.blobs.write(accountId, bytes),
      sizeBytes: bytes.byteLength,
    })),
  )
}

/** Stores `_headers` and `_redirects`, which arrive in the asset settings, as files next to the assets. */
export async function storeAssetRules(
  cloud: ScriptsCloud,
  accountId: string,
  upload: ScriptUpload,
): Promise<Record<string, string>> {
  const config: AssetConfig = upload.metadata.assets?.config ?? {}
  const rules: Record<string, string> = {}
  for (const name of ['_headers', '_redirects'] as const) {
    const text = config[name]
    if (text !== undefined) rules[`/${name}`] = await cloud.blobs.write(accountId, Buffer.from(text))
  }
  return rules
}

/** Returns the version that an upload creates. Fields that the upload omits keep their current value. */
export function draftFromUpload(
  cloud: ScriptsCloud,
  accountId: string,
  current: CurrentScript,
  stored: {
    upload: ScriptUpload
    modules: StoredModule[]
    assetRules: Record<string, string>
    source: string
  },
): VersionDraft {
  const { metadata } = stored.upload
  const latest = current.latest?.content ?? null
  const now = { namespaces: current.namespaces, tag: current.script?.migrationTag ?? null }
  const change =
    metadata.exports === undefined
      ? planMigrations(metadata.migrations, now)
      : planExports(metadata.exports, now)
  return {
    change,
    content: {
      mainModule: metadata.main_module ?? null,
      modules: stored.modules,
      bindings: mergeBindings(metadata.bindings, latest?.bindings ?? [], metadata.keep_bindings ?? []),
      compatibilityDate: metadata.compatibility_date,
      compatibilityFlags: metadata.compatibility_flags,
      assets: draftAssets(cloud, accountId, latest, stored),
      annotations: metadata.annotations ?? {},
      migrationTag: change.tag,
      source: stored.source,
      observability: metadata.observability ?? null,
      usageModel: metadata.usage_model ?? 'standard',
    },
  }
}

function draftAssets(
  cloud: ScriptsCloud,
  accountId: string,
  latest: VersionContent | null,
  stored: { upload: ScriptUpload; assetRules: Record<string, string> },
): StoredAssets | null {
  const { assets, keep_assets: isKept } = stored.upload.metadata
  if (assets?.jwt !== undefined) {
    const files = { ...readUploadedFiles(cloud, accountId, assets.jwt), ...stored.assetRules }
    return { files, config: assets.config ?? {} }
  }
  if (isKept !== true && assets === undefined) return null
  if (latest === null || latest.assets === null) {
    throw new ApiFailure(400, 10021, 'The upload keeps assets, and the worker has none.')
  }
  if (assets?.config === undefined) return latest.assets
  // `_headers` and `_redirects` belong to the config, so the previous version's files are not kept.
  const { '/_headers': _headers, '/_redirects': _redirects, ...files } = latest.assets.files
  return { files: { ...files, ...stored.assetRules }, config: assets.config }
}

/** Returns the latest version with changed bindings, for a change of a setting or secret. */
export function draftWithBindings(
  current: CurrentScript,
  change: (bindings: Binding[]) => Binding[],
  source: string,
): VersionDraft {
  const latest = current.latest?.content
  if (latest === undefined) throw new ApiFailure(404, 10007, 'This Worker does not exist on your account.')
  const { handlers: _handlers, namedHandlers: _named, startupTimeMs: _time, etag: _etag, ...content } = latest
  return {
    change: { created: [], renamed: [], deleted: [], tag: current.script?.migrationTag ?? null },
    content: { ...content, bindings: change(content.bindings), annotations: {}, source },
  }
}
