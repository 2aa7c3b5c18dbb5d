import { Buffer, File } from 'node:buffer'
import { FormData } from 'undici'

/** The bindings of a worker in the format of the upload API. They are sent unchanged, so every name and field is Cloudflare's. */
export type Binding =
  | { type: 'plain_text'; name: string; text: string }
  | { type: 'secret_text'; name: string; text: string }
  | { type: 'assets'; name: string }
  | { type: 'ratelimit'; name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }
  | { type: 'service'; name: string; service: string; entrypoint?: string }
  | { type: 'durable_object_namespace'; name: string; class_name: string }
  | { type: 'r2_bucket'; name: string; bucket_name: string }
  | { type: 'queue'; name: string; queue_name: string }
  | { type: 'workflow'; name: string; workflow_name: string; class_name: string }
  | { type: 'analytics_engine'; name: string; dataset: string }
  | { type: 'ai' | 'browser' | 'images' | 'stream'; name: string }
  | { type: 'send_email'; name: string; allowed_sender_addresses?: string[] }

export interface WorkerUpload {
  mainModule: string
  modules: Readonly<Record<string, string>>
  bindings: Binding[]
  tags: string[]
  compatibility: { date: string; flags: readonly string[] }
  /** The completion token of an upload of static assets, and the settings with which they are served. */
  assets?: { jwt: string; config: Readonly<Record<string, unknown>> }
  objectClasses?: string[]
  /** The settings of the worker's logs. By default every invocation is logged. */
  observability?: Readonly<Record<string, unknown>>
  /** Stored with the version. When the response to the upload is lost, the version is found by this `tag`. */
  annotations?: { tag: string; message: string }
}

/** Returns the form of an upload: a JSON part named `metadata` and one file for each module. */
export function uploadForm(upload: WorkerUpload): FormData {
  const form = new FormData()
  form.set('metadata', JSON.stringify(uploadMetadata(upload)))
  for (const [name, text] of Object.entries(upload.modules)) {
    form.set(name, new File([Buffer.from(text)], name, { type: moduleType(name) }), name)
  }
  return form
}

/** Returns the form that replaces all bindings of a worker and keeps its code and files. */
export function settingsForm(bindings: Binding[]): FormData {
  const form = new FormData()
  form.set('settings', new File([JSON.stringify({ bindings })], 'settings', { type: 'application/json' }))
  return form
}

function uploadMetadata(upload: WorkerUpload) {
  return {
    main_module: upload.mainModule,
    bindings: upload.bindings,
    compatibility_date: upload.compatibility.date,
    compatibility_flags: upload.compatibility.flags,
    observability: upload.observability ?? { enabled: true },
    tags: upload.tags,
    ...(upload.assets === undefined ? {} : { assets: upload.assets }),
    ...(upload.objectClasses === undefined
      ? {}
      : {
          exports: Object.fromEntries(
            upload.objectClasses.map((name) => [name, { type: 'durable-object', storage: 'sqlite' }]),
          ),
        }),
    ...(upload.annotations === undefined
      ? {}
      : {
          annotations: {
            'workers/tag': upload.annotations.tag,
            'workers/message': upload.annotations.message,
          },
        }),
  }
}

function moduleType(name: string): string {
  if (/\.m?js$/.test(name)) return 'application/javascript+module'
  return name.endsWith('.json') ? 'application/json' : 'text/plain'
}
