import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Asked {
  stream?: boolean
  messages: { content: string }[]
}

/** A model server that repeats the last message of each request. A test can pause the response in the middle. */
export interface PausedModel {
  url: string
  /** Makes the next streamed response stop after its first half, until the returned function is called. */
  hold(): () => void
  close(): Promise<void>
}

/** Starts the server on loopback. `SLIPWAY_LOCAL_AI_URL` can point to it. */
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
      const writeDelta = (content: string) =>
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      const half = said.length / 2
      writeDelta(said.slice(0, half))
      await gate
      writeDelta(said.slice(half))
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
