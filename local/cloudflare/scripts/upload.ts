import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { ApiFailure } from '../rest/failure.ts'
import { isForm } from '../rest/read-body.ts'
import { Exports, Migrations } from './migrations.ts'
import type { Account, ModuleType } from '../types.ts'

interface UploadedModule {
  name: string
  type: ModuleType
  bytes: Uint8Array
}

const AssetSettings = z.looseObject({
  html_handling: z
    .enum(['auto-trailing-slash', 'force-trailing-slash', 'drop-trailing-slash', 'none'])
    .optional(),
  not_found_handling: z.enum(['none', '404-page', 'single-page-application']).optional(),
  run_worker_first: z.union([z.boolean(), z.array(z.string())]).optional(),
  _headers: z.string().optional(),
  _redirects: z.string().optional(),
})
const Annotations = z.record(z.string(), z.string())

/**
 * The metadata fields that an upload may contain; others are ignored. An upload with `body_part` is refused. `tail_consumers` is ignored,
 * because only the settings routes change it.
 */
const UploadMetadata = z.object({
  main_module: z.string().optional(),
  body_part: z.string().optional(),
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })).default([]),
  compatibility_date: z.string().default(''),
  compatibility_flags: z.array(z.string()).default([]),
  migrations: Migrations.optional(),
  exports: Exports.optional(),
  assets: z.object({ jwt: z.string().optional(), config: AssetSettings.optional() }).optional(),
  keep_assets: z.boolean().optional(),
  keep_bindings: z.array(z.string()).optional(),
  observability: z.unknown().optional(),
  tail_consumers: z.array(z.unknown()).nullish(),
  tags: z.array(z.string()).nullish(),
  logpush: z.boolean().nullish(),
  usage_model: z.string().optional(),
  annotations: Annotations.optional(),
})
type UploadMetadata = z.output<typeof UploadMetadata>

export interface ScriptUpload {
  metadata: UploadMetadata
  modules: UploadedModule[]
}

const MODULE_TYPES = new Map<string, ModuleType>(
  Object.entries({
    'application/javascript+module': 'esm',
    'text/javascript+module': 'esm',
    'application/javascript': 'cjs',
    'text/javascript': 'cjs',
    'application/wasm': 'wasm',
    'text/plain': 'text',
    'text/html': 'text',
    'text/sql': 'text',
    'application/octet-stream': 'data',
    'application/json': 'json',
  }),
)

const SIZE_MAX_MB = { free: 3, paid: 10 }

/** Reads an upload: the part `metadata` is JSON text, and every other part is a module. */
export async function readUpload(request: Request, account: Account): Promise<ScriptUpload> {
  if (!isForm(request)) {
    throw new ApiFailure(415, 10021, 'A worker is uploaded as multipart/form-data with a metadata part.')
  }
  const form = await request.formData().catch(() => {
    throw new ApiFailure(400, 10021, 'The multipart body cannot be read.')
  })
  const metadata = parseMetadata(await metadataText(form.get('metadata')))
  const modules: UploadedModule[] = []
  for (const [field, part] of form) {
    if (field === 'metadata' || typeof part === 'string') continue
    const type = moduleType(part.type, field)
    if (type !== null) modules.push({ name: moduleName(field, part), type, bytes: await part.bytes() })
  }
  checkModules(metadata, modules, account)
  return { metadata, modules }
}

/** Some clients send all files under one field name, so the file name is the module's name. */
function moduleName(field: string, file: File): string {
  return file.name === '' || file.name === 'blob' ? field : file.name
}

function moduleType(mime: string, field: string): ModuleType | null {
  const plain = (mime.split(';')[0] ?? '').trim()
  if (plain === 'application/source-map') return null
  const type = MODULE_TYPES.get(plain)
  if (type === undefined)
    throw new ApiFailure(400, 10021, `Module ${field}: type '${mime}' is not supported.`)
  return type
}

async function metadataText(part: File | string | null): Promise<string> {
  if (part === null) throw new ApiFailure(400, 10021, 'The upload has no metadata part.')
  return typeof part === 'string' ? part : part.text()
}

/** Throws an `ApiFailure` like the provider's. */
function parseMetadata(text: string): UploadMetadata {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiFailure(400, 10021, 'The metadata part is not JSON.')
  }
  const read = UploadMetadata.safeParse(value)
  if (!read.success) throw new ApiFailure(400, 10021, `metadata: ${z.prettifyError(read.error)}`)
  const metadata = read.data
  if (metadata.body_part !== undefined) {
    throw new ApiFailure(
      400,
      10021,
      'Service worker syntax is not available in the local cloud: use ES modules.',
    )
  }
  if (metadata.migrations !== undefined && metadata.exports !== undefined) {
    throw new ApiFailure(400, 10021, 'metadata holds both migrations and exports; send one of them.')
  }
  return metadata
}

function checkModules(metadata: UploadMetadata, modules: UploadedModule[], account: Account): void {
  if (metadata.main_module === undefined) {
    if (metadata.assets === undefined && metadata.keep_assets !== true) {
      throw new ApiFailure(400, 10021, 'metadata names no main_module.')
    }
    return
  }
  if (!modules.some((module) => module.name === metadata.main_module)) {
    throw new ApiFailure(400, 10021, `No part is named '${metadata.main_module}', the main_module.`)
  }
  const limitBytes = SIZE_MAX_MB[account.plan] * 1024 * 1024
  const size = modules.reduce((sum, module) => sum + module.bytes.byteLength, 0)
  // The limit is for the compressed size. Compressing is slow, so compare the uncompressed size first.
  if (
    size > limitBytes &&
    gzipSync(Buffer.concat(modules.map((module) => module.bytes))).byteLength > limitBytes
  ) {
    throw new ApiFailure(413, 10027, `The worker exceeds the size limit of ${SIZE_MAX_MB[account.plan]} MB.`)
  }
}
