import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { assertKnownWeights, isIcon, withoutUnusedWeights } from './icon-weights.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const COMPRESSIBLE_NAME = /\.(js|css|svg|html)$/

/**
 * By default the bundler makes a chunk of every small module that two pages share, and the first page would
 * load sixty files. These groups merge them: libraries, code that nearly all pages need, what the entry
 * script needs, code that the projects page shares with the sign-in, and the app shell with the rest of the
 * projects page.
 */
const CHUNK_GROUPS = [
  {
    name: 'vendor',
    priority: 3,
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-query|query-core|store|react-store))\//,
  },
  { name: 'common', priority: 2, minShareCount: 32 },
  // A group also gets the modules that its own modules import. So the static imports of the entry script have a separate group: if they
  // were in `projects`, a signed-out visitor would have to load that whole group.
  { name: 'entry', priority: 1, tags: ['$initial' as const] },
  {
    name: 'projects',
    priority: 1,
    test: /console\/(ui\/[^/]+\/(skeleton|state-dot|empty-note|text-field|project-tile|host|use-media|use-search-param|sentence-box)|lib\/format|shell\/(drafts|unseen-builds)|api\/[^/]+\/(projects|tickets|connections|insights|attention))\b|phosphor.*\/(ClockCounterClockwise|ArrowSquareOut|MagnifyingGlass|CaretRight|X)\.es/,
  },
  {
    name: 'layout',
    test: /console\/(shell\/(app-dialogs|deferred-component|bars\/bars|keys\/global-shortcuts|navigation\/(navigation|mobile-bar))|screens\/projects\/new-project|api\/project\/project-search)\.tsx?$/,
  },
]

const config: UserConfig = {
  root,
  base: '/_console/',
  // The service replaces this placeholder by a new nonce in every response (server/console.ts).
  html: { cspNonce: '__NONCE__' },
  plugins: [
    iconWeightsPlugin(),
    withoutUnusedModules(),
    lateTooltip(),
    react(),
    tailwindcss(),
    themeScript(),
    precompressPlugin(),
  ],
  server: { port: 4305, proxy: { '/api': 'http://localhost:4300' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // Never inline files: the content security policy allows `data:` URLs for images only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNK_GROUPS } } },
  },
}

export default defineConfig(({ command }) => {
  // The bundler picks the development builds of all packages unless NODE_ENV is `production`. A test process,
  // which may be the first to build, sets `test`.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return config
})

/**
 * Adds a small blocking script that sets the theme before the first paint. The script is a file, because the content security policy
 * forbids inline scripts.
 */
function themeScript(): Plugin {
  return {
    name: 'slipway-theme-script',
    apply: 'build',
    async buildStart() {
      const source = await readFile(join(root, 'shell/theme-boot.js'), 'utf8')
      this.emitFile({ type: 'asset', name: 'theme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) => {
        const file = Object.keys(context.bundle ?? {}).find((name) => /\/theme-[\w-]+\.js$/.test(name))
        if (!file) throw new Error('the theme script was not emitted')
        return [{ tag: 'script', attrs: { src: `/_console/${file}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

function iconWeightsPlugin(): Plugin {
  return {
    name: 'slipway-lean-icons',
    apply: 'build',
    // Run before JSX is compiled, because afterwards the `weight` attributes of icons cannot be recognised.
    enforce: 'pre',
    transform(source, id) {
      if (isIcon(id)) return { code: withoutUnusedWeights(source, id), map: null }
      if (id.endsWith('.tsx')) assertKnownWeights(source, id)
      return null
    },
  }
}

const KIT_CHUNKS = '/@cloudflare/kumo/dist/chunks/'

/**
 * Replaces the tooltip in the library's buttons and sidebar, because the original imports all of the pop-up code. The original is loaded
 * after the first page is shown.
 */
function lateTooltip(): Plugin {
  const replacedIn = new Set<string>()
  return {
    name: 'slipway-deferred-tooltip',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const [, part] = /\/(button|sidebar)-\w+\.js$/.exec(importer) ?? []
      if (part === undefined || !importer.includes(KIT_CHUNKS) || !/\/tooltip-\w+\.js$/.test(source))
        return null
      replacedIn.add(part)
      return join(root, 'ui/controls/deferred-tooltip.tsx')
    },
    buildEnd(error) {
      if (!error && replacedIn.size < 2)
        throw new Error('the kit is not written as expected: see lateTooltip()')
    },
  }
}

/**
 * The modules that the console never calls, by the name under which they are imported, each with the code that replaces it. The HTML parser
 * would be a quarter of the Markdown renderer's code, and HTML is never parsed (ui/markdown/markdown-view.tsx). The generated client
 * contains a reader of event streams, but the console uses the one of `@slipway/sdk/stream.ts`.
 */
const UNUSED_MODULES: Record<string, string> = {
  'rehype-raw': "export default () => { throw new Error('HTML in Markdown is text here') }",
  '../core/serverSentEvents.gen.ts':
    "export const createSseClient = () => { throw new Error('use stream.ts of the sdk') }",
}

function withoutUnusedModules(): Plugin {
  const replaced = new Set<string>()
  return {
    name: 'slipway-without-unused-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      if (!(source in UNUSED_MODULES)) return null
      replaced.add(source)
      return `\0unused:${source}`
    },
    load: (asked) => (asked.startsWith('\0unused:') ? UNUSED_MODULES[asked.slice('\0unused:'.length)] : null),
    buildEnd(error) {
      if (!error && replaced.size < Object.keys(UNUSED_MODULES).length)
        throw new Error('a module is imported by another name: see UNUSED_MODULES')
    },
  }
}

/**
 * Writes Brotli and gzip copies of each file at build time, so that the service compresses nothing per
 * request.
 */
function precompressPlugin(): Plugin {
  return {
    name: 'slipway-precompress',
    apply: 'build',
    async closeBundle() {
      const folder = join(root, 'dist/assets')
      const names = (await readdir(folder)).filter((name) => COMPRESSIBLE_NAME.test(name))
      await Promise.all(names.map((name) => compressFile(join(folder, name))))
    },
  }
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
