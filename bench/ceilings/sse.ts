import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * The baseline of the stream benchmark, the least code that streams one source of events to any number of readers: `GET /watch` keeps the
 * response open, and every line posted to `/frames` is written to all open responses. Nothing is stored, no reader can resume, and the API
 * key is looked up in a set by its SHA-256.
 */
const { PORT = '0', KEY_HASH = '' } = process.env
const keys = new Set([KEY_HASH])
const watchers = new Set<ServerResponse>()
let seq = 0

const server = createServer((request, response) => {
  if (request.url === '/health') return response.end()
  const key = (request.headers.authorization ?? '').slice('Bearer '.length)
  if (!keys.has(createHash('sha256').update(key).digest('hex'))) return response.writeHead(401).end()
  return request.url === '/watch'
    ? addWatcher(response)
    : void broadcastLines(request).then(() => response.end())
})

function addWatcher(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  watchers.add(response)
  response.on('close', () => watchers.delete(response))
}

async function broadcastLines(request: IncomingMessage): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  for (const line of text.split('\n')) {
    const frame = `id: ${++seq}\ndata: ${line}\n\n`
    for (const watcher of watchers) watcher.write(frame)
  }
}

server.listen(Number(PORT), '127.0.0.1')
