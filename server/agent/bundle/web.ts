import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { picturesOf, withHead } from '@slipway/runtime/look.ts'
import { escapeText } from '../source/look/look.ts'
import type { AppTree } from '../source/tree.ts'

export interface WebFile {
  bytes: Uint8Array
  contentType: string
}

const CONTENT_TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  map: 'application/json; charset=utf-8',
}
/** A chunk that a script cannot begin without; those that it imports later are in parentheses. */
const STATIC_IMPORT = /(?<=\bfrom\s*"\.\/)chunk-\w+\.js(?=")/g
const SCRIPT = /<script\b[^>]*\bsrc="(?:\.?\/)?([\w./-]+\.tsx?)"[^>]*><\/script>/

/** The script that `web/index.html` loads, as a path in the tree; null when there is none. */
export function entryOf(html: string): string | null {
  const source = SCRIPT.exec(html)?.[1]
  return source === undefined ? null : `web/${source}`
}

/** The static files of an app: built scripts and styles under `/assets/`, `public/` beside a rewritten page. */
export function webFiles(
  tree: AppTree,
  built: { path: string; bytes: Uint8Array }[],
): Record<string, WebFile> {
  const files: Record<string, WebFile> = {}
  const put = (path: string, bytes: Uint8Array) => {
    const type = path.slice(path.lastIndexOf('.') + 1)
    files[path] = { bytes, contentType: CONTENT_TYPES[type] ?? 'application/octet-stream' }
  }
  const names: Record<string, string> = {}
  const preloads: string[] = []
  const styles: string[] = []
  for (const { path, bytes } of built) {
    const name = basename(path)
    if (!name.startsWith('main.')) {
      put(`/assets/${name}`, bytes)
      if (name.endsWith('.css')) styles.push(`/assets/${name}`)
      continue
    }
    const type = path.slice(path.lastIndexOf('.') + 1)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    names[type] = `/assets/main-${hash}.${type}`
    put(names[type], bytes)
    if (type === 'css') styles.unshift(names[type])
    // Loaded beside the script instead of after it.
    if (type === 'js') preloads.push(...(Buffer.from(bytes).toString().match(STATIC_IMPORT) ?? []))
  }
  for (const [path, bytes] of picturesOf(tree.get('platform/public/icon.svg') ?? '')) put(path, bytes)
  // The app's own files replace those of its look.
  for (const folder of ['platform/public', 'public'])
    for (const [path, text] of tree)
      if (path.startsWith(`${folder}/`)) put(path.slice(folder.length), Buffer.from(text))
  const html = withHead(tree.get('web/index.html') ?? '', tree.get('platform/head.gen.html') ?? '')
  const page = { script: names['js'] ?? '', styles, preloads, appName: appOf(tree).name }
  put('/index.html', Buffer.from(rewriteHtml(html, page)))
  return files
}

function rewriteHtml(
  html: string,
  page: { script: string; styles: string[]; preloads: string[]; appName: string },
): string {
  const style = [
    // A part that is loaded later does not load its styles by itself.
    ...page.styles.map((name) => `<link rel="stylesheet" href="${name}" />`),
    ...page.preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`),
  ].join('')
  const script = `<script type="module" src="${page.script}"></script>`
  const loaded = html.replace(SCRIPT, () => script).replaceAll('%APP_NAME%', () => escapeText(page.appName))
  return loaded.includes('</head>') ? loaded.replace('</head>', () => `${style}</head>`) : style + loaded
}

/** What `app.json` says of the app: it was checked before, but this must not be the place that fails if it was not. */
export function appOf(tree: AppTree): { name: string; uses: unknown[] } {
  try {
    const { name, uses } = JSON.parse(tree.get('app.json') ?? '') as Record<string, unknown>
    return { name: String(name), uses: Array.isArray(uses) ? uses : [] }
  } catch {
    return { name: 'App', uses: [] }
  }
}
