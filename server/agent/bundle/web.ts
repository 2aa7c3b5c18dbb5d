import { picturesOf } from '@slipway/runtime/look.ts'
import { entryScript as scriptOf, pageFiles } from '@slipway/runtime/page.ts'
import * as z from 'zod'
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
/** Returns the script that `web/index.html` loads, as a path in the tree; null when there is none. */
export function webEntry(html: string): string | null {
  const script = scriptOf(html)
  return script === null ? null : `web/${script}`
}

/** Returns the static files of an app by path: built scripts and styles under `/assets/`, the files of `public/`, and the page. */
export function webFiles(
  tree: AppTree,
  built: { path: string; bytes: Uint8Array }[],
): Record<string, WebFile> {
  const files: Record<string, WebFile> = {}
  const put = (path: string, content: Uint8Array | string) => {
    const type = path.slice(path.lastIndexOf('.') + 1)
    files[path] = {
      bytes: typeof content === 'string' ? Buffer.from(content) : content,
      contentType: CONTENT_TYPES[type] ?? 'application/octet-stream',
    }
  }
  for (const [path, bytes] of picturesOf(tree.get('platform/public/icon.svg') ?? '')) put(path, bytes)
  // `public` comes second, so that the app's files replace the platform's files.
  for (const folder of ['platform/public', 'public'])
    for (const [path, text] of tree) if (path.startsWith(`${folder}/`)) put(path.slice(folder.length), text)
  const page = {
    html: tree.get('web/index.html') ?? '',
    head: tree.get('platform/head.gen.html') ?? '',
    appName: appOf(tree).name,
    built,
  }
  for (const [path, content] of pageFiles(page)) put(path, content)
  return files
}

const App = z.object({ name: z.string().catch('App'), uses: z.array(z.unknown()).catch([]) })

/**
 * Returns the name and the capabilities of an app from its `app.json`. Defaults replace values that do not parse. The manifest phase
 * reports such values, so the bundle must not throw.
 */
export function appOf(tree: AppTree): z.output<typeof App> {
  try {
    return App.parse(JSON.parse(tree.get('app.json') ?? ''))
  } catch {
    return { name: 'App', uses: [] }
  }
}
