import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A model server in this process, so that its output and the stream that readers get are timed by one clock.
 */
export interface SpeakingModel {
  baseUrl: string
  /** Resolves to the `performance.now` at which the last request was aborted by its caller. */
  abandoned(): Promise<number>
  close(): Promise<void>
}

export interface Speech {
  words(piece: number): string
  /** Returns the milliseconds to wait before a piece. `spokenMs` is the time since the model began to write. */
  pauseMs(piece: number, spokenMs: number): number
}

/** Each piece is `@<performance.now>`, the time it was written. */
const STAMPED_SPEECH: Speech = {
  words: () => `@${performance.now().toFixed(3)} `,
  // Uneven pauses, because the service stores text of a model in batches, 50 ms apart. Pieces at a fixed pace
  // could always arrive at the same moment of that interval.
  pauseMs: (piece) => 40 + ((piece * 37) % 90),
}

/**
 * Starts a model server that responds to every request with `pieces` pieces of text, one after the other. With `Infinity` it writes until
 * the request is aborted.
 */
export async function startSpeakingModel(pieces: number, speech = STAMPED_SPEECH): Promise<SpeakingModel> {
  let abandoned = Promise.withResolvers<number>()
  const server = createServer((request, response) => {
    abandoned = Promise.withResolvers()
    const { resolve } = abandoned
    response.on('close', () => {
      if (!response.writableFinished) resolve(performance.now())
    })
    request.resume()
    void streamSpeech(response, pieces, speech)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    abandoned: () => abandoned.promise,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function streamSpeech(response: ServerResponse, pieces: number, speech: Speech): Promise<void> {
  const write = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'spoken', choices }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  write({ role: 'assistant', content: '' })
  const began = performance.now()
  for (let piece = 0; piece < pieces && !response.destroyed; piece++) {
    const pauseMs = speech.pauseMs(piece, performance.now() - began)
    if (pauseMs > 0) await sleep(pauseMs)
    write({ content: speech.words(piece) })
  }
  write({}, 'stop')
  response.end('data: [DONE]\n\n')
}
