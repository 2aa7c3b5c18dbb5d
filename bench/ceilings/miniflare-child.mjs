// Plain JavaScript in a process of its own, because a TypeScript import of Miniflare would replace the global
// types of the browser with those of the Workers runtime.
import { Miniflare } from 'miniflare'

/** Starts the given worker, returns the address of its socket, and ends it on request. */
process.on('message', async (source) => {
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    // Without this setting Miniflare fetches a sample of the request metadata (`request.cf`) from the network.
    cf: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: 'notes',
          compatibilityDate: '2026-06-01',
          manifest: { mainModule: 'index.js', modules: { 'index.js': { type: 'esm', contents: source } } },
          env: { NOTES: { type: 'durable-object', worker: 'notes', exportName: 'Notes' } },
          exports: { Notes: { type: 'durable-object', storage: 'sqlite' } },
        },
        dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
      },
    ],
  })
  await miniflare.ready
  process.once('SIGUSR2', async () => {
    await miniflare.dispose()
    process.send({ stopped: true })
  })
  process.send({ url: (await miniflare.unsafeGetDirectURL('notes')).origin })
})
