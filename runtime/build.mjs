// Builds the pages of this app into dist/. `npm run build` runs it, and so does `wrangler deploy`, as its build command.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

// Node cannot import these modules here, because they are written in TypeScript, so bundle them first.
const { outputFiles: modules } = await build({
  stdin: {
    contents: `export * from './platform/look.ts'; export * from './platform/page.ts'`,
    resolveDir: '.',
  },
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
})
const code = `data:text/javascript;base64,${Buffer.from(modules[0].contents).toString('base64')}`
const { entryScript, pageFiles, picturesOf } = await import(code)

const html = readFileSync('web/index.html', 'utf8')
const entry = entryScript(html)
if (entry === null) throw new Error('web/index.html loads no script')

const { name, uses = [] } = JSON.parse(readFileSync('app.json', 'utf8'))
const { outputFiles } = await build({
  entryPoints: [`web/${entry}`],
  outdir: 'dist',
  entryNames: 'main',
  chunkNames: 'chunk-[hash]',
  // Split chunks only in an app that loads code later: the code of video calls, and packages that it imports with import().
  splitting: uses.includes('call') || existsSync('packages.json'),
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  target: 'es2024',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: {
    '.svg': 'dataurl',
    '.png': 'dataurl',
    '.gif': 'dataurl',
    '.woff': 'dataurl',
    '.woff2': 'dataurl',
  },
})

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/assets', { recursive: true })
for (const [path, picture] of picturesOf(readFileSync('platform/public/icon.svg', 'utf8')))
  writeFileSync(`dist${path}`, picture)
cpSync('platform/public', 'dist', { recursive: true })
if (existsSync('public')) cpSync('public', 'dist', { recursive: true })
const built = outputFiles.map(({ path, contents }) => ({ path, bytes: contents }))
const head = readFileSync('platform/head.gen.html', 'utf8')
for (const [path, content] of pageFiles({ html, head, appName: name, built }))
  writeFileSync(`dist${path}`, content)
