import type { Config } from '../config.ts'
import { ALLOW_SETTING, refusalOf } from '../lib/address-policy.ts'
import { isLoopbackHost } from '../lib/loopback.ts'
import { allowedFor, modelFetch } from './model-access.ts'
import { rankModels } from './model-choice.ts'
import { readModelList } from './model-list.ts'
import type { LocalModels } from './model-record.ts'

interface LocalServer {
  name: string
  baseUrl: string
}

/** The default addresses of these programs, from their own documentation. */
const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
]
// They run on this machine; a slower response comes from another program.
const ANSWER_MS_MAX = 1_000

/**
 * Recognizes the program by its port on a loopback host; returns null for any other address. Does not check
 * whether it is running.
 */
export function localServerAt(baseUrl: string): string | null {
  const { hostname, port } = new URL(baseUrl)
  if (!isLoopbackHost(hostname)) return null
  return LOCAL_SERVERS.find((server) => new URL(server.baseUrl).port === port)?.name ?? null
}

/** Asks no address that the operator did not allow: it is reported as `not_allowed`. */
export async function findLocalModels(
  { config, signal }: { config: Config; signal: AbortSignal },
  servers: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<LocalModels> {
  const look = async ({ name, baseUrl }: LocalServer): Promise<LocalModels['servers'][number]> => {
    const server = { name, baseUrl, allow: new URL(baseUrl).origin }
    if (refusalOf(baseUrl, allowedFor(config)) !== null)
      return { ...server, state: 'not_allowed', models: [] }
    const connection = { provider: 'openai-compatible' as const, baseUrl, key: null }
    const reading = readModelList(connection, modelFetch(config), { signal, timeoutMs: ANSWER_MS_MAX })
    // Not running, too slow, or another program on the same port.
    const ids = await reading.catch(() => null)
    return ids === null
      ? { ...server, state: 'absent', models: [] }
      : { ...server, state: 'found', models: rankModels(ids) }
  }
  return { setting: ALLOW_SETTING, servers: await Promise.all(servers.map(look)) }
}
