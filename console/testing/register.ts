import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { transformSync } from 'esbuild'

/**
 * Prepares a process for component tests: a DOM without a browser, and a loader for what otherwise only the bundler handles (JSX, style
 * sheets, `?raw`). Load it with `--import` before the test files.
 */
registerHooks({
  resolve(specifier, context, next) {
    // The entry points of these packages are folders, which only bundlers and `require` resolve.
    const isFolder = specifier.startsWith('@atlaskit/') && !context.conditions.includes('require')
    if (!isFolder) return next(specifier, context)
    return next(createRequire(context.parentURL ?? import.meta.url).resolve(specifier), context)
  },
  load(url, context, next) {
    const { pathname, search } = new URL(url)
    if (search === '?raw')
      return textModule(`export default ${JSON.stringify(readFileSync(pathname, 'utf8'))}`)
    if (pathname.endsWith('.css')) return textModule('')
    if (!pathname.endsWith('.tsx')) return next(url, context)
    const sourcefile = fileURLToPath(url)
    const { code } = transformSync(readFileSync(sourcefile, 'utf8'), {
      loader: 'tsx',
      jsx: 'automatic',
      sourcefile,
      sourcemap: 'inline',
      target: 'esnext',
    })
    return textModule(code)
  },
})

const textModule = (source: string) => ({ format: 'module' as const, shortCircuit: true, source })

// Keep Node's streams: the bodies of responses use them, and happy-dom's streams are incompatible.
const { ReadableStream, TransformStream, WritableStream } = globalThis
GlobalRegistrator.register({
  url: 'http://console.test/',
  // A frame would send requests to the address that it shows.
  settings: { disableIframePageLoading: true },
})
Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream })
// Without this flag, React warns that the environment does not support `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// happy-dom does not define `isSecureContext`. The tests behave like pages at an https address.
Object.assign(globalThis, { isSecureContext: true })
