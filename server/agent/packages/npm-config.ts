import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

let knownRegistry: Promise<string> | undefined

/**
 * Returns the registry that npm itself would use on this machine: `npm_config_registry`, else what npm reads from its configuration
 * files. `npm config get` runs once per process. No registry address is built in, so that the operator's private registry is used.
 */
export function readRegistry(): Promise<string> {
  const given = process.env['npm_config_registry'] ?? process.env['NPM_CONFIG_REGISTRY']
  if (given !== undefined && given !== '') return Promise.resolve(given)
  knownRegistry ??= askNpm()
  // A failure is not cached: npm may be installed later.
  knownRegistry.catch(() => (knownRegistry = undefined))
  return knownRegistry
}

async function askNpm(): Promise<string> {
  // npm sets this variable to its own script in the processes that it starts. The command `npm` may be missing in the PATH.
  const script = process.env['npm_execpath']
  const [file, args] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  const { stdout } = await runFile(file, [...args, 'config', 'get', 'registry'], { timeout: 20_000 })
  return stdout.trim()
}
