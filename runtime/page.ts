import { createHash } from 'node:crypto'
import { withHead } from './look.ts'

/** A chunk that a script cannot start without. Those that it imports later are in parentheses, so they do not match. */
const STATIC_IMPORT = /(?<=\bfrom\s*"\.\/)chunk-\w+\.js(?=")/g
const SCRIPT = /<script\b[^>]*\bsrc="(?:\.?\/)?([\w./-]+\.tsx?)"[^>]*><\/script>/

export const entryOf = (html: string): string | null => SCRIPT.exec(html)?.[1] ?? null

interface PageSource {
  /** `web/index.html`, and the head of the app's look. */
  html: string
  head: string
  appName: string
  /** What esbuild made of the script: `main.js`, its styles and chunks. */
  built: readonly { path: string; bytes: Uint8Array }[]
}

/** By path. The names of scripts and styles change with their content. */
export function pageFiles({ html, head, appName, built }: PageSource): Map<string, Uint8Array | string> {
  const files = new Map<string, Uint8Array | string>()
  let script = ''
  const preloads: string[] = []
  const styles: string[] = []
  for (const { path, bytes } of built) {
    const file = path.slice(path.lastIndexOf('/') + 1)
    const type = file.slice(file.lastIndexOf('.') + 1)
    const isMain = file.startsWith('main.')
    const address = `/assets/${isMain ? `main-${hashOf(bytes)}.${type}` : file}`
    files.set(address, bytes)
    // Includes styles of parts that are loaded later, because those do not load them by themselves.
    if (type === 'css') styles[isMain ? 'unshift' : 'push'](address)
    if (!isMain || type !== 'js') continue
    script = address
    // Preloaded, so that they arrive with the script instead of after it.
    preloads.push(...(new TextDecoder().decode(bytes).match(STATIC_IMPORT) ?? []))
  }
  const links = [
    ...styles.map((name) => `<link rel="stylesheet" href="${name}" />`),
    ...preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`),
  ].join('')
  const page = withHead(html, head)
    .replace(SCRIPT, () => `<script type="module" src="${script}"></script>`)
    .replaceAll('%APP_NAME%', () => escapeText(appName))
  files.set(
    '/index.html',
    page.includes('</head>') ? page.replace('</head>', () => `${links}</head>`) : links + page,
  )
  return files
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 10)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** For an element or a quoted attribute. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
