import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { transformSync } from 'esbuild'

/**
 * Prepares a process for component tests: a document without a browser, and a loader for what only the bundler knows
 * (JSX, style sheets, `?raw`). Loaded with `--import` before the test files.
 */
registerHooks({
  load(url, context, next) {
    const { pathname, search } = new URL(url)
    if (search === '?raw') return text(`export default ${JSON.stringify(readFileSync(pathname, 'utf8'))}`)
    if (pathname.endsWith('.css')) return text('')
    if (!pathname.endsWith('.tsx')) return next(url, context)
    const sourcefile = fileURLToPath(url)
    const { code } = transformSync(readFileSync(sourcefile, 'utf8'), {
      loader: 'tsx',
      jsx: 'automatic',
      sourcefile,
      sourcemap: 'inline',
      target: 'esnext',
    })
    return text(code)
  },
})

const text = (source: string) => ({ format: 'module' as const, shortCircuit: true, source })

GlobalRegistrator.register({ url: 'http://console.test/' })
// React warns about updates outside of `act` only in an environment that says it has one.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
