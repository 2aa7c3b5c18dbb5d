/** The stored forms of workers. `scripts/shapes.ts` converts them to the API's forms. */

export type ModuleType = 'esm' | 'cjs' | 'wasm' | 'text' | 'data' | 'json'

export interface StoredModule {
  name: string
  type: ModuleType
  digest: string
  sizeBytes: number
}

/** A binding as uploaded. The fields besides `type` and `name` depend on the type. */
export interface Binding {
  type: string
  name: string
  [field: string]: unknown
}

export interface AssetConfig {
  html_handling?: 'auto-trailing-slash' | 'force-trailing-slash' | 'drop-trailing-slash' | 'none' | undefined
  not_found_handling?: 'none' | '404-page' | 'single-page-application' | undefined
  run_worker_first?: boolean | string[] | undefined
  _headers?: string | undefined
  _redirects?: string | undefined
}

export interface StoredAssets {
  /** The SHA-256 of each asset, by its path in the app (`/index.html`). */
  files: Record<string, string>
  config: AssetConfig
}

/** The content of a version, stored as one JSON string and never changed. */
export interface VersionContent {
  /** The name of the entry module; null for a worker that has only assets. */
  mainModule: string | null
  modules: StoredModule[]
  bindings: Binding[]
  compatibilityDate: string
  compatibilityFlags: string[]
  assets: StoredAssets | null
  annotations: Record<string, string>
  migrationTag: string | null
  handlers: string[]
  namedHandlers: { name: string; handlers: string[] }[]
  startupTimeMs: number
  etag: string
  source: string
  observability: unknown
  usageModel: string
}

/** A cloud account. Its `plan` determines its limits, as at the provider. Times here and below are epoch milliseconds. */
export interface Account {
  id: string
  name: string
  plan: 'free' | 'paid'
  subdomain: string | null
  createdAt: number
}

/**
 * A worker, as the scripts API calls it. Its code is in its versions; without a deployment it serves no
 * requests.
 */
export interface Script {
  id: string
  accountId: string
  groupId: string
  name: string
  createdAt: number
  modifiedAt: number
  isOnSubdomain: boolean
  hasPreviews: boolean
  migrationTag: string | null
  settings: ScriptSettings
}

export interface ScriptSettings {
  tags?: string[]
  logpush?: boolean
  observability?: unknown
  tail_consumers?: unknown[]
}

export interface Version {
  id: string
  scriptId: string
  number: number
  createdAt: number
  content: VersionContent
}

export interface Deployment {
  id: string
  scriptId: string
  versionId: string
  number: number
  createdAt: number
  source: string
  annotations: Record<string, string>
}

/** A class of Durable Objects. It outlives the versions of its script, so that the objects keep their data. */
export interface Namespace {
  id: string
  scriptId: string
  className: string
  storage: 'sqlite' | 'legacy-kv'
  createdAt: number
}
