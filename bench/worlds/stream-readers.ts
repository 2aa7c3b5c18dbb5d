import { connect, type Socket } from 'node:net'

/** The end of a frame (one message of a build stream), which is JSON. A heartbeat (a colon and an empty line) has another end. */
const FRAME_END = Buffer.from('}\n\n')

export interface StreamRequest {
  url: string
  path: string
  headers: Record<string, string>
  body: object
}

/**
 * Many minimal readers of one stream: they count the ends of frames instead of parsing frames, and record the time of each. Readers and
 * sender share this process and therefore one clock.
 */
export class Readers {
  readonly #sockets: Socket[] = []
  readonly #counts: number[] = []
  readonly #onFrame: (frame: number, reader: number) => void
  #fewestFrames = 0
  #waiting: { count: number; tell: () => void } | null = null
  #lostCount = 0

  private constructor(onFrame: (frame: number, reader: number) => void) {
    this.#onFrame = onFrame
  }

  /**
   * Opens the streams, at most 50 at a time. `onFrame` is called with the number of each frame, from 1, and
   * its reader.
   */
  static async open(
    request: StreamRequest,
    count: number,
    onFrame: (frame: number, reader: number) => void = () => {},
  ): Promise<Readers> {
    const readers = new Readers(onFrame)
    const text = requestText(request)
    const turns = Array.from({ length: count }).values()
    const work = async () => {
      for (const _ of turns) await readers.#openReader(request.url, text)
    }
    await Promise.all(Array.from({ length: Math.min(count, 50) }, work))
    return readers
  }

  /** The number of streams that the server ended. */
  get lost(): number {
    return this.#lostCount
  }

  /** Resolves when every reader has `count` frames. */
  until(count: number): Promise<void> {
    if (this.#fewestFrames >= count) return Promise.resolve()
    return new Promise((tell) => (this.#waiting = { count, tell }))
  }

  close(): void {
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy()
  }

  #openReader(url: string, text: string): Promise<void> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const index = this.#sockets.push(socket) - 1
    this.#counts.push(0)
    socket.on('close', () => (this.#lostCount += 1))
    socket.write(text)
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      let rest: Buffer = Buffer.alloc(0)
      let isOpen = false
      socket.on('data', (chunk: Buffer) => {
        if (!isOpen) {
          const status = chunk.toString('latin1', 0, 12)
          if (!status.endsWith(' 200')) return reject(new Error(`the stream answered ${chunk.toString()}`))
          isOpen = true
          resolve()
        }
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
        let found = 0
        for (
          let at = bytes.indexOf(FRAME_END);
          at !== -1;
          at = bytes.indexOf(FRAME_END, at + FRAME_END.length)
        )
          found += 1
        rest = bytes.subarray(-(FRAME_END.length - 1))
        if (found > 0) this.#countFrames(index, found)
      })
    })
  }

  #countFrames(index: number, found: number): void {
    const before = this.#counts[index] ?? 0
    this.#counts[index] = before + found
    for (let frame = before + 1; frame <= before + found; frame++) this.#onFrame(frame, index)
    // Only the reader with the fewest frames can raise the smallest count.
    if (before > this.#fewestFrames) return
    this.#fewestFrames = Math.min(...this.#counts)
    if (this.#waiting === null || this.#fewestFrames < this.#waiting.count) return
    this.#waiting.tell()
    this.#waiting = null
  }
}

function requestText({ url, path, headers, body }: StreamRequest): string {
  const json = JSON.stringify(body)
  const all = {
    host: new URL(url).host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${json}`
}
