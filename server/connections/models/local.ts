import type { Config } from '../../config.ts'
import { ALLOW_SETTING, addressRefusal } from '../../lib/address-policy.ts'
import { isLoopbackHost } from '../../lib/loopback.ts'
import { allowedFor, modelFetch } from './access.ts'
import { rankModels } from './choice.ts'
import { readModelList } from './list.ts'
import type { LocalModels } from './record.ts'

interface LocalServer {
  name: string
  baseUrl: string
}

/** Programs that run models on the person's machine, with the default address from each program's documentation. */
const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
]
// Short, because these programs run on this machine. A slower response comes from another program.
const ANSWER_MS_MAX = 1_000

/**
 * Returns the name of the program that uses this port of a loopback host by default, or null. Does not check whether
 * the program is running.
 */
export function localServerAt(baseUrl: string): string | null {
  const { hostname, port } = new URL(baseUrl)
  if (!isLoopbackHost(hostname)) return null
  return LOCAL_SERVERS.find((server) => new URL(server.baseUrl).port === port)?.name ?? null
}

/** Looks for models at the default addresses. An address that the operator did not allow is not called and is reported as `not_allowed`. */
export async function findLocalModels(
  { config, signal }: { config: Config; signal: AbortSignal },
  servers: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<LocalModels> {
  const look = async ({ name, baseUrl }: LocalServer): Promise<LocalModels['servers'][number]> => {
    const server = { name, baseUrl, allow: new URL(baseUrl).origin }
    if (addressRefusal(baseUrl, allowedFor(config)) !== null)
      return { ...server, state: 'not_allowed', models: [] }
    const connection = { provider: 'openai-compatible' as const, baseUrl, key: null }
    const reading = readModelList(connection, modelFetch(config), { signal, timeoutMs: ANSWER_MS_MAX })
    // The program is not running or too slow, or another program uses its port.
    const ids = await reading.catch(() => null)
    return ids === null
      ? { ...server, state: 'absent', models: [] }
      : { ...server, state: 'found', models: rankModels(ids) }
  }
  return { setting: ALLOW_SETTING, servers: await Promise.all(servers.map(look)) }
}
