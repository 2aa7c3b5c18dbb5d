// Must be imported before any code of the app. Text bindings are also in `process.env`, where app code could read the gate's key. The
// kernel reads the key from `cloudflare:workers`, which app code cannot import.
const nodeHost = globalThis as { process?: { env: Record<string, unknown> } }
delete nodeHost.process?.env['APP_GATE']
