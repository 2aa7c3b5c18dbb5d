import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorkerOptions } from 'miniflare'

// Only this file uses the option schema of Miniflare 5, because this version is a beta and the schema changes.

export interface SandboxWorker {
  name: string
  main: string
  modules: Readonly<Record<string, string>>
  compatibilityDate: string
  compatibilityFlags: string[]
  env?: Record<string, SandboxBinding>
  /** The name of the worker that receives every outgoing request. Without it, outgoing requests fail. */
  outbound?: string
  objects?: string[]
  assets?: {
    files: Readonly<Record<string, Uint8Array>>
    notFound: 'none' | 'single-page-application' | '404-page'
    htmlHandling: 'auto-trailing-slash' | 'none'
    workerFirst: string[]
  }
}

export type SandboxBinding =
  | { type: 'text'; value: string }
  | { type: 'assets' }
  | { type: 'worker'; worker: string; exportName?: string }
  | { type: 'durable-object'; worker: string; exportName: string }
  | { type: 'r2'; name: string }

const EGRESS_WORKER = '_egress'
const REFUSING_WORKER = `export default {
  fetch(request) { throw new Error('The network is off while an app is checked (' + new URL(request.url).host + ').') },
  connect() { throw new Error('The network is off while an app is checked.') },
}`
/** Returns the worker as Miniflare's options. Writes its static files below `folder`. */
export function toOptions(worker: SandboxWorker, folder: string): WorkerOptions {
  const assets = worker.assets
  return {
    config: {
      name: worker.name,
      compatibilityDate: worker.compatibilityDate,
      compatibilityFlags: worker.compatibilityFlags,
      manifest: {
        mainModule: worker.main,
        modulesRoot: '/',
        modules: Object.fromEntries(
          Object.entries(worker.modules).map(([name, contents]) => [
            name,
            { type: 'esm' as const, contents },
          ]),
        ),
      },
      env: worker.env ?? {},
      exports: Object.fromEntries(
        (worker.objects ?? []).map((name) => [
          name,
          { type: 'durable-object' as const, storage: 'sqlite' as const },
        ]),
      ),
      ...(assets && {
        assets: {
          directory: writeAssets(folder, assets.files),
          hasUserWorker: true,
          notFoundHandling: assets.notFound,
          htmlHandling: assets.htmlHandling,
          runWorkerFirst: assets.workerFirst,
        },
      }),
    },
    dev: {
      outboundService: { type: 'worker' as const, worker: worker.outbound ?? EGRESS_WORKER },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    },
  }
}

/** Returns a worker that receives every request leaving the sandbox and fails it. */
export function egressWorker(): WorkerOptions {
  const compatibilityDate = '2026-01-01'
  const modules = { 'main.js': { type: 'esm' as const, contents: REFUSING_WORKER } }
  return {
    config: {
      name: EGRESS_WORKER,
      compatibilityDate,
      manifest: { mainModule: 'main.js', modulesRoot: '/', modules },
    },
    dev: { outboundService: { type: 'worker' as const, worker: EGRESS_WORKER } },
  }
}

function writeAssets(folder: string, files: Readonly<Record<string, Uint8Array>>): string {
  const target = folderFor(folder, 'assets')
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(target, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  return target
}

export function folderFor(folder: string, name: string): string {
  const target = join(folder, name)
  mkdirSync(target, { recursive: true })
  return target
}
