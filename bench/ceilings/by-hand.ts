import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { CACHE_FOLDER } from '../harness/folders.ts'

interface Checkout {
  dir: string
  /** Bundles pages and worker with a warm esbuild. Returns the duration in milliseconds. */
  build(): Promise<number>
  /** Bundles pages and worker with a warm esbuild, and commits every file with git; returns the duration in milliseconds. */
  buildAndCommit(): Promise<number>
  remove(): void
}

/** Writes the files into a folder below this repository, so that the packages they import are found. */
export function openCheckout(files: Record<string, string>): Checkout {
  mkdirSync(CACHE_FOLDER, { recursive: true })
  const dir = mkdtempSync(join(CACHE_FOLDER, 'by-hand-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { stdio: 'ignore' })
  git('init', '-q')
  const bundle = (entry: string) =>
    build({
      absWorkingDir: dir,
      entryPoints: [entry],
      outdir: 'dist',
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      target: 'es2024',
      jsx: 'automatic',
      conditions: ['workerd', 'worker', 'import', 'module', 'default'],
      external: ['node:*', 'cloudflare:*'],
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.svg': 'dataurl' },
    })
  const bundleBoth = () => Promise.all([bundle('web/main.tsx'), bundle('platform/worker.ts')])
  return {
    dir,
    async build() {
      const began = performance.now()
      await bundleBoth()
      return performance.now() - began
    },
    async buildAndCommit() {
      const began = performance.now()
      await bundleBoth()
      git('add', '--all')
      git('-c', 'user.name=Bench', '-c', 'user.email=bench@slipway.test', 'commit', '-q', '-m', 'Tides')
      return performance.now() - began
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
