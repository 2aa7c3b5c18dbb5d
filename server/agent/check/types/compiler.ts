import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The npm package is only a launcher; the native compiler is in a package named after the platform. */
export function findCompiler(): string {
  const require = createRequire(import.meta.resolve('typescript/package.json'))
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
  const file = join(
    dirname(require.resolve(platform)),
    'lib',
    process.platform === 'win32' ? 'tsc.exe' : 'tsc',
  )
  if (!existsSync(file)) throw new Error(`no TypeScript compiler for this platform at ${file}`)
  return file
}
