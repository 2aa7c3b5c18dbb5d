import { Agent, fetch, type RequestInit, type Response } from 'undici'

/**
 * Node does not resolve `*.localhost` names, so connect to 127.0.0.1, where the server of all apps listens.
 */
const localhostAgent = new Agent({
  connect: {
    lookup: (hostname, options, callback) => {
      const found = [{ address: '127.0.0.1', family: 4 as const }]
      if (options.all === true) callback(null, found)
      else callback(null, '127.0.0.1', 4)
    },
  },
})

/** Like `fetch`, but also reaches local apps, whose `*.localhost` names Node does not resolve. */
export function fetchFromHost(url: string | URL, init: RequestInit): Promise<Response> {
  const isApp = new URL(url).hostname.endsWith('.localhost')
  return fetch(url, { ...init, ...(isApp ? { dispatcher: localhostAgent } : {}) })
}
