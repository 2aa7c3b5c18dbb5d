import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The response to a build request: the frames (JSON messages) of its stream, or a stream that stays open
 * without sending any.
 */
export type FakeBuild = object[] | 'silence'

/**
 * Serves the few routes that an evaluation calls, and an app whose page shows the result of the last build. Tests of the evaluation itself
 * use it in place of the service.
 */
export async function startFakeService(builds: FakeBuild[], pages: string[]) {
  const asked: { route: string; body: unknown }[] = []
  let next = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const path = (request.url ?? '').replace('/api/v1', '')
      asked.push({ route: `${request.method} ${path}`, body: text === '' ? null : JSON.parse(text) })
      const json = (data: unknown) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ok: true, data }))
      }
      if (path.startsWith('/app')) {
        response.setHeader('content-type', 'text/html')
        return response.end(`<h1>App</h1><p>${pages[next - 1] ?? ''}</p>`)
      }
      if (path.endsWith('/build/stream')) {
        response.setHeader('content-type', 'text/event-stream')
        const build = builds[next++] ?? []
        response.write(': open\n\n')
        if (build === 'silence') return undefined
        return response.end(build.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))
      }
      if (path.includes('/runs/'))
        return json({ usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 0 } })
      if (path.endsWith('/files')) return json({ paths: ['web/pages/Home.tsx'] })
      return json({ id: 'x_1' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  }
}
