// Builds the pages of this app into dist/: `npm run build`, and `wrangler deploy` by its build command.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const html = readFileSync('web/index.html', 'utf8')
const script = /<script\b[^>]*\bsrc="(?:\.?\/)?([\w./-]+\.tsx?)"[^>]*><\/script>/
const entry = script.exec(html)?.[1]
if (entry === undefined) throw new Error('web/index.html loads no script')

const { name, uses = [] } = JSON.parse(readFileSync('app.json', 'utf8'))
const { outputFiles } = await build({
  entryPoints: [`web/${entry}`],
  outdir: 'dist',
  entryNames: 'main',
  chunkNames: 'chunk-[hash]',
  // Calls are loaded when they begin, packages where they are imported with import().
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

// Written in TypeScript, like the rest of the platform.
const { outputFiles: looks } = await build({
  entryPoints: ['platform/look.ts'],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
})
const look = `data:text/javascript;base64,${Buffer.from(looks[0].contents).toString('base64')}`
const { picturesOf, withHead } = await import(look)

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/assets', { recursive: true })
for (const [path, picture] of picturesOf(readFileSync('platform/public/icon.svg', 'utf8')))
  writeFileSync(`dist${path}`, picture)
cpSync('platform/public', 'dist', { recursive: true })
if (existsSync('public')) cpSync('public', 'dist', { recursive: true })
const names = {}
const styles = []
for (const { path, contents } of outputFiles) {
  const file = basename(path)
  if (!file.startsWith('main.')) {
    writeFileSync(`dist/assets/${file}`, contents)
    if (file.endsWith('.css')) styles.push(`/assets/${file}`)
    continue
  }
  const type = path.slice(path.lastIndexOf('.') + 1)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 10)
  names[type] = `/assets/main-${hash}.${type}`
  writeFileSync(`dist${names[type]}`, contents)
}
const shownName = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
// A part that is loaded later does not load its styles by itself.
if (names.css !== undefined) styles.unshift(names.css)
const style = styles.map((path) => `<link rel="stylesheet" href="${path}" />`).join('')
writeFileSync(
  'dist/index.html',
  withHead(html, readFileSync('platform/head.gen.html', 'utf8'))
    .replace(script, () => `<script type="module" src="${names.js}"></script>`)
    .replaceAll('%APP_NAME%', () => shownName)
    .replace('</head>', () => `${style}</head>`),
)
