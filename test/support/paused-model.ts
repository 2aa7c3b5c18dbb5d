import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Asked {
  stream?: boolean
  messages: { content: string }[]
}

/** A model server that repeats the last message it got, and can be held in the middle of a response. */
export interface PausedModel {
  url: string
  /** The next streamed response stops after its first half; the returned function lets it continue. */
  hold(): () => void
  close(): Promise<void>
}

/** Starts such a server on loopback, for `SLIPWAY_LOCAL_AI_URL`. */
export async function openPausedModel(): Promise<PausedModel> {
  let gate = Promise.resolve()
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url?.endsWith('/models') === true)
        return response.setHeader('content-type', 'application/json').end('{"data":[{"id":"echo"}]}')
      const { stream = false, messages } = JSON.parse(await text(request)) as Asked
      const said = messages.at(-1)?.content ?? ''
      if (!stream)
        return response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ choices: [{ message: { content: said } }], usage: {} }))
      response.setHeader('content-type', 'text/event-stream')
      const write = (content: string) =>
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      const half = said.length / 2
      write(said.slice(0, half))
      await gate
      write(said.slice(half))
      return response.end('data: [DONE]\n\n')
    })()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
