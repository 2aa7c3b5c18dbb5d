import { createServer } from 'node:http'

/**
 * The receiver of deliveries. Accepts every post at once, except below /hang, and records its time. GET
 * /arrivals returns the value of each `service-delivery-id` header with the time at which the request
 * arrived, in milliseconds since the epoch. GET /until/<n> responds once n posts have come since the last
 * DELETE, which resets the count.
 */
let arrivals: [id: string, atMs: number][] = []
let waiting: { count: number; tell: () => void } | null = null

createServer((req, res) => {
  const url = req.url ?? ''
  const respond = (body: unknown) => res.end(JSON.stringify(body))
  if (url.startsWith('/hang')) return
  if (req.method === 'POST') {
    arrivals.push([String(req.headers['service-delivery-id']), performance.timeOrigin + performance.now()])
    req.resume()
    res.writeHead(204).end()
    if (waiting !== null && arrivals.length >= waiting.count) waiting.tell()
  } else if (req.method === 'DELETE') {
    arrivals = []
    respond({})
  } else if (url.startsWith('/until/')) {
    const count = Number(url.slice('/until/'.length))
    waiting = { count, tell: () => respond({}) }
    if (arrivals.length >= count) waiting.tell()
  } else respond(url === '/arrivals' ? arrivals : {})
}).listen(Number(process.env['PORT']), '127.0.0.1')
