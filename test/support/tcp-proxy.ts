import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy between a browser and the service. A test can cut all connections and later allow new ones. */
export class TcpProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target = 0
  #isCut = false

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (near) => this.#carryConnection(near))
  }

  static async lay(): Promise<TcpProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new TcpProxy(server)
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  leadTo(url: string): void {
    this.#target = Number(new URL(url).port)
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #carryConnection(near: Socket): void {
    if (this.#isCut) {
      near.destroy()
      return
    }
    const far = connect(this.#target, 'localhost')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.pipe(other)
      // Ignore the error: a reset is followed by `close`, which also closes the socket on the other side of the proxy.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
