import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

let known: Promise<string> | undefined

/**
 * The registry that npm itself would use here: `npm_config_registry`, else what npm reads from its configuration files.
 * It is asked once; no address of a registry is written in this project.
 */
export function readRegistry(): Promise<string> {
  const given = process.env['npm_config_registry'] ?? process.env['NPM_CONFIG_REGISTRY']
  if (given !== undefined && given !== '') return Promise.resolve(given)
  known ??= askNpm()
  // A machine without npm may get it later.
  known.catch(() => (known = undefined))
  return known
}

async function askNpm(): Promise<string> {
  // npm names itself to what it starts; by itself it may not be in the path.
  const script = process.env['npm_execpath']
  const [file, args] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  const { stdout } = await run(file, [...args, 'config', 'get', 'registry'], { timeout: 20_000 })
  return stdout.trim()
}
